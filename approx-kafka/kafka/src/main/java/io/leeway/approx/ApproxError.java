package io.leeway.approx;

/** What can go wrong, by stable codes. They are API. */
public enum ApproxError {
    /** Options are missing, unknown or out of range. */
    OPTIONS("APPROX-001", "Correct the options that the message names; all faults are in it."),
    /** The shim or the gateway cannot listen at its address. */
    LISTEN("APPROX-002", "Choose a free port, or 0 for any."),
    /** A key store, a trust store or a certificate cannot be used. */
    KEYS("APPROX-003", "Check path and password; bin/approx keys makes a pair of stores."),
    /** The gateway does not answer. Approximate topics travel as exact ones until it does. */
    GATEWAY_AWAY("APPROX-101", "Check approx.gateway and that the gateway runs; nothing is lost meanwhile."),
    /** The gateway refused the token. Approximate topics travel as exact ones. */
    TOKEN("APPROX-102", "Give both sides the same approx.token."),
    /** No common version of the protocol. Approximate topics travel as exact ones. */
    VERSION("APPROX-103", "Bring both sides to releases that overlap."),
    /** Datagrams do not come through: the sample travels over TCP. */
    DATAGRAMS_BLOCKED("APPROX-104", "Let UDP to the gateway's port pass; answers stay right, only slower."),
    /** The gateway forgot the session, so jobs that were open cannot be completed. */
    SESSION_LOST(
            "APPROX-105",
            "A gateway or a shim was started anew or is gone; windows that were open are reported as not kept."),
    /** A job reached its deadline before its promise was kept. */
    DEADLINE("APPROX-106", "Raise approx.deadline, lower the MSR, or give the traffic more of the network."),
    /** Options name no approximate topic, or no gateway: everything travels as exact traffic. */
    NOTHING_SAMPLED(
            "APPROX-107", "Give both approx.topics and approx.gateway; or approx.mode=off if that is what you want."),
    /** The gateway cannot write a record; it counts as refused, not as delivered. */
    WRITE("APPROX-201", "Check the brokers, and that the gateway may write into the topic."),
    /** Brokers refused so many records of a window that it has fewer than promised. */
    PROMISE_REFUSED(
            "APPROX-202",
            "Remove the cause that message and report name: what the topic allows, or what the gateway may do."),
    /** An estimate would not be honest. */
    REFUSED("APPROX-301", "Ask for what a sample can tell, or use exact totals of the report.");

    private final String code;
    private final String remedy;

    ApproxError(String code, String remedy) {
        this.code = code;
        this.remedy = remedy;
    }

    /** The code, such as {@code APPROX-001}. */
    public String code() {
        return code;
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }
}
