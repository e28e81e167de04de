/** What is counted, in HBase's own metrics. */
@NullMarked
package io.leeway.hindex.internal.metrics;

import org.jspecify.annotations.NullMarked;
