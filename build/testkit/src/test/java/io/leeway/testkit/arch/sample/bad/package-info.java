/** Sample for the architecture rules. */
@NullMarked
package io.leeway.testkit.arch.sample.bad;

import org.jspecify.annotations.NullMarked;
