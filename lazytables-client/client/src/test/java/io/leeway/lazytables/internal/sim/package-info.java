/** A simulator of clients, servers and the network between them, which runs the real protocol. */
@NullMarked
package io.leeway.lazytables.internal.sim;

import org.jspecify.annotations.NullMarked;
