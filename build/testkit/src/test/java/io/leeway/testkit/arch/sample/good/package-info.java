/** Sample for the architecture rules. */
@NullMarked
package io.leeway.testkit.arch.sample.good;

import org.jspecify.annotations.NullMarked;
