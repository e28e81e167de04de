/** Time, events, randomness and statistics of one simulation. One simulation is one thread. */
@NullMarked
package io.leeway.netsim.internal.sim;

import org.jspecify.annotations.NullMarked;
