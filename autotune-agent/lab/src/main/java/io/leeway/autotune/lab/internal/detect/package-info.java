/**
 * Which instance is the bottleneck: features, baseline, graph network, training data. What the network's training goes
 * through uses {@code StrictMath}: the last bit of an exponential differs between processors and JDKs otherwise, and the
 * same data would make another model.
 */
@NullMarked
package io.leeway.autotune.lab.internal.detect;

import org.jspecify.annotations.NullMarked;
