package io.leeway.privoxy.solvers.internal.smt;

import java.util.List;
import java.util.Map;

/**
 * The ground terms that a query's parameters stand for.
 *
 * <p>Terms, not values: in a generalised script a parameter is a constant of its own.
 *
 * @param arguments by position
 * @param context by name
 */
record Bindings(List<String> arguments, Map<String, String> context) {}
