package io.leeway.eppi.internal.mpc;

/** Against how many corrupt coordinators the secure computation holds; all of them semi-honest. */
public enum Profile {
    /** One of three: replicated shares, three bits sent for a gate. */
    HONEST_MAJORITY,
    /** All but one of any number from two: triples from oblivious transfers. */
    FULL_THRESHOLD
}
