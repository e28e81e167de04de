/** Hadoop's file systems as places for snapshots. */
@NullMarked
package io.leeway.lazytables.internal.hadoop;

import org.jspecify.annotations.NullMarked;
