/** Real database servers for tests and the demo: one interface, started on first use, shared by all tests of a JVM. */
@NullMarked
package io.leeway.testkit.db;

import org.jspecify.annotations.NullMarked;
