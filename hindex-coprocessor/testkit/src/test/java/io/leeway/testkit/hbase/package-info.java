/** Tests of the test kit. */
@NullMarked
package io.leeway.testkit.hbase;

import org.jspecify.annotations.NullMarked;
