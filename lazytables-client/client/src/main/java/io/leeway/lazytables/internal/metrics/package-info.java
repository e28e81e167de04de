/** Where measurements go: to Micrometer, if it is there. */
@NullMarked
package io.leeway.lazytables.internal.metrics;

import org.jspecify.annotations.NullMarked;
