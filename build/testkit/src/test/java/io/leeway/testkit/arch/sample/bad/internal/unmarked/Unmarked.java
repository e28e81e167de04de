package io.leeway.testkit.arch.sample.bad.internal.unmarked;

/** Its package says nothing about null. */
public final class Unmarked {}
