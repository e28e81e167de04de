/** The demonstration of the simulator. */
@NullMarked
package io.leeway.demo.netsim;

import org.jspecify.annotations.NullMarked;
