/** Sample for the architecture rules. */
@NullMarked
package io.leeway.testkit.arch.sample.intruder;

import org.jspecify.annotations.NullMarked;
