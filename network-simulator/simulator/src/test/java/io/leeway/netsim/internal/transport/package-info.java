@NullMarked
package io.leeway.netsim.internal.transport;

import org.jspecify.annotations.NullMarked;
