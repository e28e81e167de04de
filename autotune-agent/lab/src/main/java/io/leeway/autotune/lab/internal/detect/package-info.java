/** Which instance is the bottleneck: features, baseline, graph network, training data. */
@NullMarked
package io.leeway.autotune.lab.internal.detect;

import org.jspecify.annotations.NullMarked;
