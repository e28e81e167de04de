package io.leeway.privoxy.internal.model;

/**
 * A row of a table in a query's FROM. Its columns are the variables {@code firstVariable} to
 * {@code firstVariable + arity - 1}, in the table's order.
 */
public record Atom(String table, int firstVariable, int arity) {}
