package io.leeway.netsim;

/**
 * What all experiments have.
 *
 * @param title for people
 * @param about what it shows; may be empty
 * @param seed what all randomness follows from
 */
record Head(String title, String about, int seed) {}
