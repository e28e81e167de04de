@NullMarked
package io.leeway.netsim.internal.training;

import org.jspecify.annotations.NullMarked;
