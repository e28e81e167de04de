/** The store on Hadoop's file systems. */
@NullMarked
package io.leeway.lazybase.internal.hadoop;

import org.jspecify.annotations.NullMarked;
