/** Distributed training of neural networks: models, traces, mechanisms. */
@NullMarked
package io.leeway.netsim.internal.training;

import org.jspecify.annotations.NullMarked;
