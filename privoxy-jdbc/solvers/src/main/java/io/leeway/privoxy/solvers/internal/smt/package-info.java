/**
 * Decides compliance with SMT solvers: decision problems become SMT-LIB 2 text, answers become decisions, premises of
 * templates, or counterexamples that were checked by evaluation. Contains no native code and no JDBC.
 */
@NullMarked
package io.leeway.privoxy.solvers.internal.smt;

import org.jspecify.annotations.NullMarked;
