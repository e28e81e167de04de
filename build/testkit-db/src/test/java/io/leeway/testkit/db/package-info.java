/** Tests of the test kit. */
@NullMarked
package io.leeway.testkit.db;

import org.jspecify.annotations.NullMarked;
