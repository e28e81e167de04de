/** Jobs of messages, and what became of them. */
@NullMarked
package io.leeway.netsim.internal.workload;

import org.jspecify.annotations.NullMarked;
