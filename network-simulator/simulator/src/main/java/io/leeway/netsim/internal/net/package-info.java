/** Links, switches, hosts and how they are joined. */
@NullMarked
package io.leeway.netsim.internal.net;

import org.jspecify.annotations.NullMarked;
