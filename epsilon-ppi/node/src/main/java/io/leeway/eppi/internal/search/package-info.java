/** Queries, searches at providers and reports. */
@NullMarked
package io.leeway.eppi.internal.search;

import org.jspecify.annotations.NullMarked;
