package io.leeway.eppi.internal.attack;

import java.util.BitSet;

/**
 * Which providers are said to hold records of whom: the truth, or what an index says.
 *
 * @param providers how many there are
 * @param persons for each person the providers
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record Lists(int providers, BitSet[] persons) {

    /** Providers of a person. */
    public BitSet of(int person) {
        return persons[person];
    }

    /** How many persons. */
    public int size() {
        return persons.length;
    }
}
