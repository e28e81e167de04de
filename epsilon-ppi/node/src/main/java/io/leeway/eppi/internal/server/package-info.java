/** The index server. */
@NullMarked
package io.leeway.eppi.internal.server;

import org.jspecify.annotations.NullMarked;
