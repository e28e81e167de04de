/** Where measurements go: to services and, if it is there, to Micrometer. */
@NullMarked
package io.leeway.privoxy.internal.metrics;

import org.jspecify.annotations.NullMarked;
