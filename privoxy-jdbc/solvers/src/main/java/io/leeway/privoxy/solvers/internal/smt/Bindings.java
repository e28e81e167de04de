package io.leeway.privoxy.solvers.internal.smt;

import java.util.List;
import java.util.Map;

/**
 * The ground terms that a query's parameters stand for.
 *
 * @param arguments by position
 * @param context by name
 */
record Bindings(List<String> arguments, Map<String, String> context) {}
