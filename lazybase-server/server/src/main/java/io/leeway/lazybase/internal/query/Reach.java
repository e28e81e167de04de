package io.leeway.lazybase.internal.query;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.Freshness;
import java.util.List;

/**
 * How far a query reads: the authority and so many of the representations after it (James Cipar, "Trading Freshness for Performance in
 * Distributed Systems", 2014, section 3.3.7). Whatever is read is a prefix of history, so an answer is always one that was right at some
 * moment.
 *
 * @param units number of representations after the authority, the open SCU not counted
 * @param openGroups groups of commits of the open SCU
 * @param asOf all that was accepted up to this time is in the answer, in milliseconds
 * @param token the place in history
 */
public record Reach(int units, int openGroups, long asOf, CommitToken token) {

    /**
     * A representation of consecutive SCUs.
     *
     * @param last number of its last SCU
     * @param minTime of its first commit
     */
    public record Unit(long last, long minTime) {}

    /** Finds out about the open SCU. */
    public interface OpenScu {

        /** Its number. */
        long number();

        /** Groups that the snapshot has of it. */
        int groups();

        /** How many of them are not younger than a time. */
        int groupsUntil(long time);

        /** Time of a group. */
        long timeOf(int group);
    }

    /**
     * The least that is fresh enough.
     *
     * @param authority number of the last SCU in the authority
     * @param units what follows it, in order
     * @param needed commits up to this time have to be seen; {@link Long#MIN_VALUE} for none
     * @param atLeast the place in history that has to be seen whatever the time
     */
    public static Reach of(long authority, List<Unit> units, OpenScu open, long needed, CommitToken atLeast, long now) {
        int count = 0;
        long last = authority;
        while (count < units.size()
                && (units.get(count).minTime <= needed || last < Math.min(atLeast.scu(), open.number() - 1))) {
            last = units.get(count).last;
            count++;
        }
        int groups = 0;
        if (count == units.size()) {
            groups = needed >= now ? open.groups() : Math.min(open.groups(), open.groupsUntil(needed));
            if (atLeast.scu() == open.number()) {
                groups = Math.max(groups, Math.min(atLeast.groups(), open.groups()));
            }
        }
        return reach(authority, units, open, count, groups, now);
    }

    /** Reading so many representations and groups. */
    public static Reach reach(long authority, List<Unit> units, OpenScu open, int count, int groups, long now) {
        long last = count == 0 ? authority : units.get(count - 1).last;
        long asOf;
        if (count < units.size()) {
            asOf = units.get(count).minTime - 1;
        } else if (groups < open.groups()) {
            asOf = open.timeOf(groups) - 1;
        } else {
            asOf = now;
        }
        CommitToken token =
                groups > 0 ? new CommitToken(open.number(), groups) : new CommitToken(last, Integer.MAX_VALUE);
        return new Reach(count, groups, asOf, token);
    }

    /** The time up to which commits have to be seen. */
    public static long needed(Freshness freshness, long now) {
        if (freshness instanceof Freshness.Within within) {
            return within.age().isZero() ? Long.MAX_VALUE : now - within.age().toMillis();
        }
        return Long.MIN_VALUE;
    }
}
