/** Sample for the architecture rules. */
@NullMarked
package io.leeway.testkit.arch.sample.bad.internal.config;

import org.jspecify.annotations.NullMarked;
