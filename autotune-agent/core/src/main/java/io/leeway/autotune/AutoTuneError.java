package io.leeway.autotune;

import org.jspecify.annotations.Nullable;

/**
 * Every error that AutoTune reports, once. Codes are API.
 *
 * @since 0.1
 */
public enum AutoTuneError {
    /** An option is unknown or has a value that it cannot have. */
    BAD_OPTION("AUTOTUNE-1001", "An option is not understood", "See configuration.md for keys and bounds."),
    /** A knob's bounds leave nothing to choose. */
    BAD_RANGE("AUTOTUNE-1002", "A range has no values", "Give bounds with min <= max, above 0 if logarithmic."),
    /** A value is not one of the knob's. */
    BAD_VALUE(
            "AUTOTUNE-1003",
            "A knob cannot have this value",
            "Stay within the bounds of its range; `autotune knobs` shows those of a service."),
    /** A request could not be read. */
    BAD_REQUEST("AUTOTUNE-1004", "A request is not understood", "See operations.md for the requests and their fields."),
    /** There is no knob, service or instance of that name. */
    UNKNOWN_NAME(
            "AUTOTUNE-1005",
            "There is nothing of this name",
            "List the names first; a pool is found when it is first used."),
    /** The token is missing or wrong. */
    WRONG_TOKEN(
            "AUTOTUNE-2001",
            "The token is wrong",
            "Send the token that the agent or controller wrote beside its address."),
    /** Another controller tunes this service. */
    LEASED("AUTOTUNE-2002", "Another controller has the lease", "Stop it, or wait until its lease ends."),
    /** The host refused the change. */
    REFUSED("AUTOTUNE-3001", "The host did not take the change", "The value before is in place; see the cause."),
    /** The setter returned, the observed value did not follow. */
    NOT_OBSERVED(
            "AUTOTUNE-3002",
            "The change was not seen to take effect",
            "The value before is in place again; the work in flight may hold the resource."),
    /** What is to be changed cannot be written here. */
    READ_ONLY(
            "AUTOTUNE-3003",
            "The limit cannot be written",
            "Run where the control group is writable, or leave this resource out."),
    /** An API server does not let us. */
    NOT_PERMITTED(
            "AUTOTUNE-3004",
            "The API server does not permit it",
            "Give the account the role that operations.md lists, or a token that has not run out."),
    /** Somebody else writes what is tuned. */
    CHANGED_MEANWHILE(
            "AUTOTUNE-3005",
            "Somebody else changed it meanwhile",
            "Keep autoscalers and deployment tools away from it while it is tuned, then begin anew."),
    /** Nothing answered in time. */
    NO_ANSWER("AUTOTUNE-4001", "No answer in time", "See whether the process is alive and its agent is loaded."),
    /** A reward belongs to no prediction that waits for one. */
    STALE_REWARD(
            "AUTOTUNE-4002",
            "No prediction waits for this reward",
            "Rewards are given once, to the request id of a prediction; trials are told once, by their number."),
    /** Stored state cannot be read. */
    BAD_STATE("AUTOTUNE-4003", "Stored state cannot be read", "Move the file away to begin anew."),
    /** A file of the lab has faults. */
    BAD_FILE("AUTOTUNE-5001", "A file has faults", "Mend the lines that are named; lab.md has all keys."),
    /** An experiment could not be run at all. */
    NO_EXPERIMENT(
            "AUTOTUNE-5002",
            "An experiment cannot be run",
            "See the logs in the output directory; run the commands by hand."),
    /** Traces cannot be read or say nothing. */
    BAD_TRACES("AUTOTUNE-5003", "The traces cannot be used", "Give OTLP, Zipkin or Jaeger JSON of whole requests."),
    /** A model does not belong to these features. */
    BAD_MODEL("AUTOTUNE-5004", "The model does not fit", "Train one with this version: `autotune train`.");

    private final String code;
    private final String meaning;
    private final String remedy;

    AutoTuneError(String code, String meaning, String remedy) {
        this.code = code;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** {@code AUTOTUNE-} and four digits. */
    public String code() {
        return code;
    }

    /** What happened, in general. */
    public String meaning() {
        return meaning;
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }

    /** An exception that says what happened this time. */
    public AutoTuneException because(String what) {
        return new AutoTuneException(this, what, null);
    }

    /** An exception with its cause. */
    public AutoTuneException because(String what, @Nullable Throwable cause) {
        return new AutoTuneException(this, what, cause);
    }
}
