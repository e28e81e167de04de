/** Sample for the architecture rules. */
@NullMarked
package io.leeway.testkit.arch.sample.good.internal.decide;

import org.jspecify.annotations.NullMarked;
