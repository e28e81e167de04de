package io.leeway.benchmarks.results;

import com.google.gson.annotations.SerializedName;

/** Which way a figure is better. */
public enum Better {
    /** Throughput, shares of something wanted. */
    @SerializedName("higher")
    HIGHER("at least"),
    /** Time, memory, overhead. */
    @SerializedName("lower")
    LOWER("at most");

    private final String bound;

    Better(String bound) {
        this.bound = bound;
    }

    /** How a goal reads: {@code at most 50}. */
    String bound() {
        return bound;
    }

    boolean meets(double value, double goal) {
        return this == HIGHER ? value >= goal : value <= goal;
    }
}
