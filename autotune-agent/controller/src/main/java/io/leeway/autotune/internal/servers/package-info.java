/** AutoTune's search on real processes: servers are control groups, placements are moves between them. */
@NullMarked
package io.leeway.autotune.internal.servers;

import org.jspecify.annotations.NullMarked;
