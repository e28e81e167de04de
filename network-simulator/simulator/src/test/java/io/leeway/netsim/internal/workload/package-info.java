@NullMarked
package io.leeway.netsim.internal.workload;

import org.jspecify.annotations.NullMarked;
