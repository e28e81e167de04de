package io.leeway.approx;

/** All metrics, as {@code /metrics} serves them in Prometheus' text format. Names are API; no metric carries keys or values. */
public enum ApproxMetrics {
    /** The path. */
    UP("approx_up", "1 while approximate topics are sampled, 0 while they travel as exact ones (shim)."),
    /** Datagrams or TCP. */
    DATAGRAMS("approx_datagrams", "1 while the sample travels by datagrams, 0 while over TCP (shim)."),
    /** Records sampled from. */
    ACCEPTED("approx_records_accepted_total", "Records of approximate topics taken for sampling (shim)."),
    /** Records passed. */
    PASSED(
            "approx_records_passed_total",
            "Records of approximate topics that travelled as exact ones, each attempt of a producer (shim)."),
    /** The rate. */
    RATE("approx_rate_bytes", "Bytes a second that the transport allows itself (shim)."),
    /** The loss. */
    LOSS("approx_loss_ratio", "Loss of messages in the last epoch (shim)."),
    /** The target. */
    TARGET("approx_loss_target_ratio", "Loss that open windows can afford (shim)."),
    /** The queue. */
    QUEUE("approx_queue", "The priority queue of the oldest open window, 1 is the highest; 0 if none is open (shim)."),
    /** The queue of a group. */
    GROUP_QUEUE("approx_group_queue", "The priority queue of the last window, by topic and group (shim)."),
    /** The target of a group. */
    GROUP_TARGET("approx_group_loss_target_ratio", "Loss that the last window can afford, by topic and group (shim)."),
    /** The round trip. */
    RTT("approx_rtt_seconds", "The smoothed round trip (shim)."),
    /** Packets. */
    PACKETS("approx_packets_sent_total", "Packets sent (shim)."),
    /** Lost packets. */
    LOST("approx_packets_lost_total", "Packets presumed lost (shim)."),
    /** What is held. */
    BUFFERED("approx_buffered_bytes", "Bytes of records held (shim)."),
    /** Open jobs. */
    JOBS("approx_jobs_open", "Windows by groups that are not complete (shim)."),
    /** Records written. */
    WRITTEN("approx_records_written_total", "Records written into topics (gateway)."),
    /** Records not written. */
    FAILED("approx_records_failed_total", "Records that brokers refused (gateway)."),
    /** Sessions. */
    SESSIONS("approx_sessions", "Sessions of shims (gateway)."),
    /** Strays. */
    STRAY("approx_datagrams_stray_total", "Datagrams of no session (gateway)."),
    /** Forgeries. */
    FORGED("approx_datagrams_forged_total", "Datagrams that were not sealed by their session (gateway)."),
    /** The delivered part. */
    DELIVERED("approx_window_delivered_ratio", "Delivered part of the last window, by topic and group (gateway)."),
    /** The promised part. */
    MSR("approx_window_msr_ratio", "Promised part of the last window, by topic and group (gateway)."),
    /** What brokers refused. */
    REFUSED(
            "approx_window_refused_records",
            "Records of the last window that arrived and that brokers refused, by topic and group (gateway)."),
    /** The bias. */
    BIAS(
            "approx_window_bias_z",
            "Standard errors by which the mean length of the last window's sample is off (gateway).");

    /** How the names of counters end. */
    static final String COUNTER = "_total";

    private final String id;
    private final String text;

    ApproxMetrics(String id, String text) {
        this.id = id;
        this.text = text;
    }

    /** The name. */
    public String id() {
        return id;
    }

    /** Whether it only ever grows. */
    boolean counts() {
        return id.endsWith(COUNTER);
    }

    /** What it counts. */
    public String text() {
        return text;
    }
}
