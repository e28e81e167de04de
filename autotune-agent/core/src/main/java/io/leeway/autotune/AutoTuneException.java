package io.leeway.autotune;

import org.jspecify.annotations.Nullable;

/**
 * What AutoTune refuses or could not do; {@link #error()} is stable.
 *
 * @since 0.1
 */
public final class AutoTuneException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final AutoTuneError error;

    AutoTuneException(AutoTuneError error, String what, @Nullable Throwable cause) {
        super(error.code() + ": " + what + ". " + error.remedy(), cause);
        this.error = error;
    }

    /** Which of the errors it is. */
    public AutoTuneError error() {
        return error;
    }
}
