/** Tests of the test kit. */
@NullMarked
package io.leeway.testkit.arch;

import org.jspecify.annotations.NullMarked;
