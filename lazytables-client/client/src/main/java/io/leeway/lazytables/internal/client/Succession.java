package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Where a process goes on that takes the place of one that ended, or joins: what each server has of it, and what
 * follows.
 *
 * <p>A clock that one server has applied was whole on all of them. So the last clock that all have whole is one that no
 * server is beyond, and the successor begins there; what some have of later clocks is given up everywhere. A server
 * that has gone on without the process lets it begin no earlier than at its global clock.
 */
final class Succession {

    private final int process;
    private final @Nullable Place[] places;

    private int generation;
    private int clock = -1;
    private boolean skips;
    private int leg;
    private long run;

    /**
     * What a server says of the process before.
     *
     * @param generation how many had its number
     * @param complete the last clock of which all has come
     * @param touched the last clock of which something was applied
     * @param joined whether the server had gone on without it
     * @param skipped whether another server had, when the last process with its number began, which has done nothing
     *     since that the server knows of
     * @param leg the leg of the run in which it lets the successor begin
     * @param run what tells the run from others; 0 if the server does not know
     */
    record Place(int generation, int complete, int touched, boolean joined, boolean skipped, int leg, long run) {}

    Succession(int process, int servers) {
        this.process = process;
        places = new Place[servers];
    }

    /** Takes note of what a server says; decides when it is the last of them. Once decided it stays so. */
    void said(int server, Place place) {
        places[server] = place;
        if (isDecided()) {
            return;
        }
        int least = Integer.MAX_VALUE;
        int most = 0;
        int generations = 0;
        for (Place each : places) {
            if (each == null) {
                return;
            }
            most = Math.max(most, each.touched);
            generations = Math.max(generations, each.generation);
            leg = Math.max(leg, each.leg);
            if (run != 0 && each.run != 0 && each.run != run) {
                throw LazyTablesException.of(
                        Code.SNAPSHOT,
                        "The servers go on from snapshots of different runs: start each with those of the same run");
            }
            run = each.run == 0 ? run : each.run;
        }
        boolean isHalfway = isHalfway(generations);
        boolean anyWithout = false;
        for (Place each : places) {
            if (each != null) {
                boolean without = each.joined || isHalfway && each.generation < generations;
                anyWithout |= without;
                least = without ? least : Math.min(least, each.complete);
            }
        }
        if (most > least && !anyWithout) {
            throw LazyTablesException.of(
                    Code.LOST,
                    "The process that was number " + process + " ended while its clock " + most
                            + " was on its way, and only some servers have it. A process can be replaced at any time if"
                            + " lazytables.resume was set when it began");
        }
        generation = generations + 1;
        skips = anyWithout;
        clock = least == Integer.MAX_VALUE ? most : Math.max(least, most);
    }

    /**
     * Whether the process before ended while it told servers where it begins, at a clock that some did not have of its
     * predecessor. Those that it told know of nothing that it did since; the others are of an earlier generation, and
     * are to follow. Once it had told all, all would be of its generation.
     */
    private boolean isHalfway(int generations) {
        for (Place each : places) {
            if (each != null && each.generation == generations && !each.skipped) {
                return false;
            }
        }
        return true;
    }

    boolean isDecided() {
        return clock >= 0;
    }

    /** The clock that counts as completed. */
    int clock() {
        return clock;
    }

    /** The leg of the run in which it begins. */
    int leg() {
        return leg;
    }

    /** What tells the run from others; 0 if no server knows. */
    long run() {
        return run;
    }

    int generation() {
        return generation;
    }

    /** Whether the process did nothing in some clocks, since others went on without it. */
    boolean skips() {
        return skips;
    }
}
