/** Simulation of data-centre networks and of distributed training: experiments from files, with their outcome. */
@NullMarked
package io.leeway.netsim;

import org.jspecify.annotations.NullMarked;
