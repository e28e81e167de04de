/** Optional solvers for queries that the driver cannot decide alone. */
@NullMarked
package io.leeway.privoxy.solvers;

import org.jspecify.annotations.NullMarked;
