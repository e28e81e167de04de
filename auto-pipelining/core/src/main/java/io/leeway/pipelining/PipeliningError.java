package io.leeway.pipelining;

/**
 * Everything that can go wrong, once. Codes are API.
 *
 * @since 0.1
 */
public enum PipeliningError {
    /** An option has a value that it cannot have. */
    BAD_OPTION(
            1001, "An option is unknown, or its value is out of range.", "Correct it; all faults are named at once."),
    /** A graph cannot be run. */
    BAD_GRAPH(1101, "The graph has no source, or a stream leads nowhere.", "Connect what the message names."),
    /** A port that may not be. */
    PORT_REFUSED(
            1201,
            "A thread in front of that operator would change results or could dead-lock.",
            "The message names the reason. Where it is the order of tuples: an operator of a graph that takes its"
                    + " inputs in any order says so with anyOrderBetweenInputs()."),
    /** The flow did not come to a stop. */
    PAUSE_TIMED_OUT(
            1202,
            "The flow did not come to a stop within the limit, since an operator did not return; nothing was changed.",
            "Find what blocks it, or raise pipelining.pause.limit."),
    /** An operator threw. */
    OPERATOR_FAILED(
            1301, "An operator threw; the whole graph was stopped.", "The cause is the operator's own exception."),
    /** A thread ended though its graph runs. */
    THREAD_DIED(
            1302,
            "A thread of the graph ended without a word; the whole graph was stopped.",
            "Look for who stopped it."),
    /** Submitted by a thread that is not the graph's. */
    FOREIGN_THREAD(
            1303,
            "A tuple was submitted by a thread that does not run the operator.",
            "Submit from the operator's own call, or make what has the thread a source."),
    /** The engine is of a version whose insides are unknown. */
    HOST_UNKNOWN(
            1401,
            "The engine's classes are not as they are known; it runs on as without the agent.",
            "See which versions are supported."),
    /** A hook is missing. */
    NOT_INSTALLED(
            1402,
            "Reactor's hook is not set, so that no operator would take part.",
            "Call ReactorPipeline.install() before pipelines are made and operators are assembled.");

    private final int number;
    private final String meaning;
    private final String remedy;

    PipeliningError(int number, String meaning, String remedy) {
        this.number = number;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** The stable code. */
    public String code() {
        return "PIPELINING-" + number;
    }

    /** What happened. */
    public String meaning() {
        return meaning;
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }

    /** An exception with this code. */
    public PipeliningException with(String detail) {
        return new PipeliningException(this, detail, null);
    }

    /** An exception with this code and a cause. */
    public PipeliningException with(String detail, Throwable cause) {
        return new PipeliningException(this, detail, cause);
    }
}
