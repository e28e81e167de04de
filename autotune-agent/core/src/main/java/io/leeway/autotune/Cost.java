package io.leeway.autotune;

/**
 * What it costs to change a knob. Rounds that restart something are rationed, see {@link AutoTuneOptions#RESTARTS_PER_HOUR}.
 *
 * @since 0.1
 */
public enum Cost {
    /** Takes effect in the running process. */
    LIVE,
    /** The service reads its configuration again and goes on. */
    RELOAD,
    /** The service is stopped and started. */
    RESTART
}
