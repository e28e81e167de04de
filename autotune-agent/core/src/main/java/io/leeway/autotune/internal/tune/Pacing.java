package io.leeway.autotune.internal.tune;

import java.util.ArrayDeque;

/** How many changes that restart something an hour may have: a ration, since costs are given without a rule in OPPerTune. */
final class Pacing {

    private static final double HOUR = 3600;

    private final int perHour;
    private final ArrayDeque<Double> restarts = new ArrayDeque<>();

    Pacing(int perHour) {
        this.perHour = perHour;
    }

    /** Takes one from the ration, if there is one at this second. A clock that jumps back frees nothing. */
    boolean take(double now) {
        while (!restarts.isEmpty() && now - restarts.peekFirst() >= HOUR) {
            restarts.removeFirst();
        }
        if (restarts.size() >= perHour) {
            return false;
        }
        restarts.addLast(now);
        return true;
    }
}
