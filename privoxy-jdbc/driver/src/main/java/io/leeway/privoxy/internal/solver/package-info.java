/**
 * What the driver and its solvers say to each other. Whatever only solvers need (texts for them, what their answers mean)
 * is in the artifact {@code privoxy-solvers}, which is found by {@link java.util.ServiceLoader}.
 */
@NullMarked
package io.leeway.privoxy.internal.solver;

import org.jspecify.annotations.NullMarked;
