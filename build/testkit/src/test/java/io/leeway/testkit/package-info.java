/** Tests of the test kit. */
@NullMarked
package io.leeway.testkit;

import org.jspecify.annotations.NullMarked;
