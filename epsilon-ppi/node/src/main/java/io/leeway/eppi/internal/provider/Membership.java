package io.leeway.eppi.internal.provider;

import io.leeway.eppi.Token;
import io.leeway.eppi.internal.construct.Persons;
import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whom a provider counts in an epoch: everybody with records, now or in an earlier epoch.
 *
 * @param epoch which
 * @param now with records now
 * @param counted now or before
 */
record Membership(long epoch, Set<Token> now, Set<Token> counted) {

    static Membership of(long epoch, Set<Token> members, Set<Token> before) {
        var counted = new TreeSet<>(before);
        counted.addAll(members);
        return new Membership(epoch, Set.copyOf(members), counted);
    }

    /** As numbers of persons; who is not among them is left out. */
    BitSet among(Persons persons) {
        var bits = new BitSet(persons.size());
        for (int i = 0; i < persons.size(); i++) {
            bits.set(i, counted.contains(persons.token(i)));
        }
        return bits;
    }

    /** How many persons with records are not among these. */
    long missing(Persons persons) {
        return now.stream().filter(token -> persons.find(token) < 0).count();
    }
}
