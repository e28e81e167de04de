/** What hosts send by: DCTCP, TCP, pFabric, Aeolus, UDP, ATP. */
@NullMarked
package io.leeway.netsim.internal.transport;

import org.jspecify.annotations.NullMarked;
