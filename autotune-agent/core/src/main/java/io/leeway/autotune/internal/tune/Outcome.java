package io.leeway.autotune.internal.tune;

import io.leeway.autotune.Setting;
import io.leeway.autotune.Window;
import java.util.List;

/**
 * How a run of the tuner ended.
 *
 * @param first the setting that was found
 * @param last the setting that stays: the best if it was verified, else the first
 * @param before the first's windows of the verification, put together
 * @param after the best's
 * @param accepted whether the best stays
 * @param rounds all that was tried
 */
public record Outcome(Setting first, Setting last, Window before, Window after, boolean accepted, List<Round> rounds) {}
