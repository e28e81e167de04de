package io.leeway.netsim;

/** What can be wrong with an experiment file. The codes are stable. */
public enum NetsimError {
    /** Not YAML, or not a list of keys with values. */
    NS01("the file is not YAML with keys and values", "correct the syntax at the line given"),
    /** A key that does not exist. */
    NS02("a key is unknown, or belongs to the other study", "use one of the keys of the study"),
    /** A value that cannot be taken. */
    NS03("a value is out of range or not of its kind", "use a value as the message says"),
    /** A key that is needed. */
    NS04("a key is missing", "add it"),
    /** A trace that cannot be read. */
    NS05("a trace is faulty", "correct the lines given; `bin/netsim trace-synth` writes a right one"),
    /** Keys that do not go together. */
    NS06("keys do not go together", "change one of them as the message says");

    private final String cause;
    private final String remedy;

    NetsimError(String cause, String remedy) {
        this.cause = cause;
        this.remedy = remedy;
    }

    /** What is wrong in general. */
    public String cause() {
        return cause;
    }

    /** What to do in general. */
    public String remedy() {
        return remedy;
    }
}
