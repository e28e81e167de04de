/** CountBelow and the secure selection of persons that are published everywhere. */
@NullMarked
package io.leeway.eppi.internal.construct;

import org.jspecify.annotations.NullMarked;
