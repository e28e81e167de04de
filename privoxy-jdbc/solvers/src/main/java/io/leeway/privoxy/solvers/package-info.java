/**
 * Optional solvers for queries that the driver cannot decide alone: cvc5 and Z3, in the process of the application. The
 * driver finds by {@link java.util.ServiceLoader} what puts its questions to them, and to any other
 * {@link io.leeway.privoxy.spi.SmtSolver} on the class path.
 */
@NullMarked
package io.leeway.privoxy.solvers;

import org.jspecify.annotations.NullMarked;
