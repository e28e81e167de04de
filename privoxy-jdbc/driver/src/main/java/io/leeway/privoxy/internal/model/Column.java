package io.leeway.privoxy.internal.model;

/** A column; {@code nullable} is false only if the database enforces it. */
public record Column(String name, ColumnType type, boolean nullable) {}
