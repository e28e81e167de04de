/** Real HBase servers for tests, each started once a JVM and shared. */
@NullMarked
package io.leeway.testkit.hbase;

import org.jspecify.annotations.NullMarked;
