package io.leeway.autotune.spi;

/**
 * What a server has and an instance gets a share of (AutoTune §2.3).
 *
 * @since 0.1
 */
public enum Resource {
    /** Cores, whole or not; a quota of time on them. */
    CPU,
    /** Megabytes. */
    MEMORY,
    /** Megabytes a second, read and written. */
    DISK,
    /** Megabits a second. */
    NETWORK
}
