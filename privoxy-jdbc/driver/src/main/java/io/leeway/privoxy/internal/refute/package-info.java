/**
 * Counterexamples to compliance: two databases of a few rows, and their check by evaluation against the definition,
 * whoever proposes them. Contains no JDBC.
 */
@NullMarked
package io.leeway.privoxy.internal.refute;

import org.jspecify.annotations.NullMarked;
