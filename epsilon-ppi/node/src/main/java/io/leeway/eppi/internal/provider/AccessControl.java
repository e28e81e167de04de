package io.leeway.eppi.internal.provider;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which members may search here, and how often. Thread-safe. */
final class AccessControl {

    private static final long MINUTE_MILLIS = 60_000;

    private record Minute(long number, int searches) {}

    private final List<String> allowed;
    private final int perMinute;
    private final Clock clock;
    private final Map<String, Minute> minutes = new ConcurrentHashMap<>();

    AccessControl(List<String> allowed, int perMinute, Clock clock) {
        this.allowed = allowed;
        this.perMinute = perMinute;
        this.clock = clock;
    }

    boolean isAllowed(String member) {
        return allowed.contains(member) || allowed.contains("*");
    }

    /** Counts a search; by how many it is too many, 0 or less if it is not. */
    int excess(String member) {
        long now = clock.millis() / MINUTE_MILLIS;
        Minute minute = minutes.merge(
                member, new Minute(now, 1), (old, one) -> old.number == now ? new Minute(now, old.searches + 1) : one);
        return minute.searches - perMinute;
    }
}
