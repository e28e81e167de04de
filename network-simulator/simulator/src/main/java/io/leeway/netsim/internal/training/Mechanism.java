package io.leeway.netsim.internal.training;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How parameters and gradients travel. */
public enum Mechanism {
    /** Parameter servers; each parameter to each worker in turn. */
    BASELINE("parameter server"),
    /** Parameter servers; the whole model to one worker after the other. */
    BLOCK("block distribution"),
    /** Switches add gradients up on their way to the servers. */
    AGGREGATION("in-network aggregation"),
    /** Switches copy parameters on their way to the workers. */
    MULTICAST("multicast"),
    /** Both. */
    BOTH("multicast and aggregation"),
    /** Two rings: one adds up, one distributes. */
    RING("ring-reduce"),
    /** One ring adds up, switches copy the sum. */
    RING_MULTICAST("ring with multicast"),
    /** Pairs exchange in log2(W) rounds. */
    BUTTERFLY("butterfly mixing");

    private final String title;

    Mechanism(String title) {
        this.title = title;
    }

    /** For people. */
    public String title() {
        return title;
    }

    /** What is written in files: {@code ring-multicast}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The one of this key. */
    public static Optional<Mechanism> of(String key) {
        return Arrays.stream(values()).filter(one -> one.key().equals(key)).findFirst();
    }

    /** All keys. */
    public static List<String> keys() {
        return Arrays.stream(values()).map(Mechanism::key).toList();
    }

    boolean hasServers() {
        return this != RING && this != RING_MULTICAST && this != BUTTERFLY;
    }

    boolean copiesInTheSwitch() {
        return this == MULTICAST || this == BOTH;
    }

    boolean addsInTheSwitch() {
        return this == AGGREGATION || this == BOTH;
    }
}
