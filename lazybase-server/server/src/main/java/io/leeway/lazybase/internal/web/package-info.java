/** The page for people, and the metrics for Prometheus. */
@NullMarked
package io.leeway.lazybase.internal.web;

import org.jspecify.annotations.NullMarked;
