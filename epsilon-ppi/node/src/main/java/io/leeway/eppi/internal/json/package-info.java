/** JSON, as far as it is needed. */
@NullMarked
package io.leeway.eppi.internal.json;

import org.jspecify.annotations.NullMarked;
