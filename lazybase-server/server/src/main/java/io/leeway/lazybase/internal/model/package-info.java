/** Tables, columns, views: what the data looks like. Values only. */
@NullMarked
package io.leeway.lazybase.internal.model;

import org.jspecify.annotations.NullMarked;
