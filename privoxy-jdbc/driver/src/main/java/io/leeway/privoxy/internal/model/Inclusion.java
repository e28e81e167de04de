package io.leeway.privoxy.internal.model;

/** A fact about every database that the schema cannot say: {@code left} is contained in {@code right}; an empty right says that left is always empty. */
public record Inclusion(String name, UnionQuery left, UnionQuery right, String origin) {}
