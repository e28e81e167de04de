/** Optional solvers for queries that the driver cannot decide alone: cvc5 and Z3, in the process of the application. */
@NullMarked
package io.leeway.privoxy.solvers;

import org.jspecify.annotations.NullMarked;
