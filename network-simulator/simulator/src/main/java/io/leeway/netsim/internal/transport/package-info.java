/** What hosts send by: DCTCP, TCP, pFabric, UDP, ATP. */
@NullMarked
package io.leeway.netsim.internal.transport;

import org.jspecify.annotations.NullMarked;
