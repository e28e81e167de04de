/** From acknowledged commits to the authority: ingest, stages, the coordinator's log, snapshots. */
@NullMarked
package io.leeway.lazybase.internal.pipeline;

import org.jspecify.annotations.NullMarked;
