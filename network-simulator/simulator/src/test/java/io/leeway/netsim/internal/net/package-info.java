@NullMarked
package io.leeway.netsim.internal.net;

import org.jspecify.annotations.NullMarked;
