/** Arrow Flight SQL: statements and bulk ingest for clients that have columns. */
@NullMarked
package io.leeway.lazybase.internal.flight;

import org.jspecify.annotations.NullMarked;
