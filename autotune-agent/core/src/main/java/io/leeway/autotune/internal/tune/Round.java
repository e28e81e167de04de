package io.leeway.autotune.internal.tune;

import io.leeway.autotune.Setting;
import io.leeway.autotune.Window;
import java.util.Locale;

/**
 * What one change did.
 *
 * @param number from 1
 * @param phase of the run
 * @param changes {@code pool.size 10 → 24}
 * @param setting all values that were in place
 * @param before the incumbent's window
 * @param after this one's
 * @param verdict what became of it
 * @param reason why, if it was taken back or failed
 */
public record Round(
        int number,
        Phase phase,
        String changes,
        Setting setting,
        Window before,
        Window after,
        Verdict verdict,
        String reason) {

    /** Where in the run it was. */
    public enum Phase {
        /** Each knob alone. */
        SELECT,
        /** Rounds of the learner. */
        LEARN,
        /** The first setting and the best in turn, on fresh windows. */
        VERIFY
    }

    /** What became of it. */
    public enum Verdict {
        /** Better: what comes next starts here. */
        KEPT,
        /** Not better: the values before are in place. */
        TAKEN_BACK,
        /** The guard tripped: the values before are in place. */
        GUARDED,
        /** The host refused: the values before are in place. */
        REFUSED,
        /** Only looked at. */
        MEASURED
    }

    /** The line in the log: {@code pool.size 10 → 24: p95 31 → 20 ms, kept}. */
    public String line() {
        String measured =
                verdict == Verdict.REFUSED ? "" : " p95 " + millis(before.p95()) + " → " + millis(after.p95()) + " ms,";
        String word = switch (verdict) {
            case KEPT -> "kept";
            case TAKEN_BACK -> "taken back";
            case GUARDED -> "taken back by the guard";
            case REFUSED -> "refused";
            case MEASURED -> "measured";
        };
        return changes + ":" + measured + " " + word + (reason.isEmpty() ? "" : " (" + reason + ")");
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    }
}
