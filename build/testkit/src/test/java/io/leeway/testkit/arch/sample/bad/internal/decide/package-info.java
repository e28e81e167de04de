/** Sample for the architecture rules. */
@NullMarked
package io.leeway.testkit.arch.sample.bad.internal.decide;

import org.jspecify.annotations.NullMarked;
