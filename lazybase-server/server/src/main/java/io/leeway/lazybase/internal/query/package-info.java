/** Reading a snapshot: filters, projections, ranges, aggregates over runs. */
@NullMarked
package io.leeway.lazybase.internal.query;

import org.jspecify.annotations.NullMarked;
