@NullMarked
package io.leeway.netsim.internal.sim;

import org.jspecify.annotations.NullMarked;
