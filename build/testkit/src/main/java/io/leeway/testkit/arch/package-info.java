/** The house rules on packages and dependencies, as tests that each product calls. */
@NullMarked
package io.leeway.testkit.arch;

import org.jspecify.annotations.NullMarked;
