package io.leeway.approx;

/** Every option, once. They are given as properties, on the command line, or as parameters of the config provider; API. */
public enum ApproxOption {
    /** Brokers behind the shim. */
    UPSTREAM("approx.upstream", "", Kind.ADDRESSES, "The brokers behind the shim: host:port, separated by commas."),
    /** TLS to the brokers. */
    UPSTREAM_TLS(
            "approx.upstream.tls",
            "off",
            Kind.TEXT,
            "on: the shim speaks TLS to the brokers, with approx.trust; off: plain."),
    /** Where the shim listens. */
    LISTEN("approx.listen", "127.0.0.1:0", Kind.ADDRESS, "Where the shim listens for Kafka clients; port 0 takes any."),
    /** The gateway. */
    GATEWAY(
            "approx.gateway",
            "",
            Kind.ADDRESS,
            "The gateway beside the brokers; empty sends everything as exact traffic."),
    /** Which topics are approximate. */
    TOPICS(
            "approx.topics",
            "",
            Kind.TEXT,
            "Which topics are approximate: names, * at the end for a prefix, separated by commas; behind each in"
                    + " parentheses what differs for it, as in trips(msr=0.5;groups=key:4;msr.key-0=1)."),
    /** The tolerated error. */
    ERROR_MAX(
            "approx.error.max",
            "",
            Kind.FRACTION,
            "The half-width of the confidence interval of what approx.answer names: of a mean, sum or ratio relative to it, of a"
                    + " count, rank or quantile as a share of all records. Instead of approx.msr."),
    /** What the error is of. */
    ANSWER(
            "approx.answer",
            "mean",
            Kind.TEXT,
            "What approx.error.max is the error of: mean, sum or ratio, which need approx.value, or count (of those that"
                    + " satisfy a condition), rank or quantile."),
    /** The second number of a ratio. */
    PER(
            "approx.per",
            "",
            Kind.TEXT,
            "Where the second number in a record is, as approx.value has the first: approx.answer=ratio is of sums of both,"
                    + " as fares a mile are."),
    /** The level of intervals. */
    CONFIDENCE("approx.confidence", "0.95", Kind.FRACTION, "The level of intervals."),
    /** The minimal sampling rate. */
    MSR(
            "approx.msr",
            "",
            Kind.FRACTION,
            "The least part of a window's records that arrives. Instead of approx.error.max."),
    /** The size of samples. */
    QUOTA(
            "approx.quota",
            "",
            Kind.NUMBER,
            "How many records of each group of a window arrive, by the size of the group's window before; all of them if"
                    + " it has fewer. Instead of approx.msr or approx.error.max."),
    /** The lowest MSR that is ever chosen. */
    MSR_FLOOR("approx.msr.floor", "0.05", Kind.FRACTION, "The lowest rate that approx.error.max leads to."),
    /** How records are grouped. */
    GROUPS(
            "approx.groups",
            "none",
            Kind.TEXT,
            "Groups, each with the promise of its own: none, partition, key:<count> by hash, or header:<name>."),
    /** Where the value of a record is. */
    VALUE(
            "approx.value",
            "",
            Kind.TEXT,
            "Where the number in a record is, of which exact totals are reported: size, double, long, csv:<column from 0>,"
                    + " json:<field>; empty for none."),
    /** Whether reports have sketches. */
    SKETCHES(
            "approx.sketches",
            "off",
            Kind.TEXT,
            "on: reports have sketches of all records, sampled or not: quantiles of values, distinct and frequent keys; some"
                    + " 10 to 40 kB a report; off: none."),
    /** The length of windows. */
    WINDOW(
            "approx.window",
            "10s",
            Kind.DURATION,
            "The length of windows, by the timestamps of records; one window is one job."),
    /** How long windows wait. */
    GRACE("approx.window.grace", "1s", Kind.DURATION, "How much later a record may come before its window ends."),
    /** What becomes of a job that takes too long. */
    DEADLINE(
            "approx.deadline",
            "30s",
            Kind.DURATION,
            "How long after its end a window may take to keep its promise; then it is closed with what has arrived, and"
                    + " the report says so."),
    /** Which records make up the sample. */
    SELECTION(
            "approx.selection",
            "unbiased",
            Kind.TEXT,
            "unbiased: those of the lowest hashed rank; any: whichever arrive first, small ones preferred, as the paper has it."),
    /** How packets travel. */
    MODE(
            "approx.mode",
            "auto",
            Kind.TEXT,
            "atp: overload is allowed; udp-polite: at most 2 % loss is aimed at; tcp-sample: the sample over TCP; off:"
                    + " everything exact; auto: atp to gateways inside approx.overload, else udp-polite."),
    /** Where overload is allowed. */
    OVERLOAD(
            "approx.overload",
            "",
            Kind.TEXT,
            "Networks that are prepared for overload, as 10.1.0.0/16, separated by commas."),
    /** The rate of the port. */
    RATE_MAX("approx.rate.max", "1000000000", Kind.NUMBER, "The rate of the network port in bits a second."),
    /** How boldly the rate goes up. */
    LOSS_MAX(
            "approx.loss.max",
            "0.2",
            Kind.FRACTION,
            "The highest loss of packets that the rate aims at, however much a window can afford: each lost packet costs"
                    + " the CPU of one that arrives."),
    /** The longest datagram. */
    DATAGRAM(
            "approx.datagram",
            "1400",
            Kind.NUMBER,
            "The longest datagram in bytes, without the headers of IP and UDP; 1200 or 508 where the path carries no more."),
    /** Memory of the sender. */
    BUFFER("approx.buffer.bytes", "67108864", Kind.NUMBER, "Bytes of records that a shim holds; then producers wait."),
    /** Memory of the receiver. */
    RECEIVE(
            "approx.receive.bytes",
            "33554432",
            Kind.NUMBER,
            "Bytes that a gateway holds for one shim; then the shim waits."),
    /** Priority queues. */
    QUEUES(
            "approx.queues",
            "8",
            Kind.NUMBER,
            "Priority queues of the network, 2 to 8, the one for other traffic included."),
    /** The seed of ranks. */
    SEED(
            "approx.seed",
            "1",
            Kind.NUMBER,
            "Where ranks come from: the same seed chooses the same records of a topic again."),
    /** How long datagrams are waited for. */
    UDP_TIMEOUT(
            "approx.udp.timeout",
            "3s",
            Kind.DURATION,
            "How long nothing may be heard before the sample goes over TCP."),
    /** How often datagrams are tried again. */
    PROBE("approx.probe.interval", "60s", Kind.DURATION, "How often datagrams are tried again after that."),
    /** The shared secret. */
    TOKEN("approx.token", "", Kind.SECRET, "What shims prove to the gateway that they know; at least 16 characters."),
    /** Whom a shim trusts. */
    TRUST(
            "approx.trust",
            "",
            Kind.TEXT,
            "Path of a PKCS12 store with the gateway's certificate or its issuer's; empty for those of the JDK."),
    /** Its password. */
    TRUST_PASSWORD("approx.trust.password", "", Kind.SECRET, "The password of that store."),
    /** What a gateway writes to. */
    BOOTSTRAP("approx.bootstrap", "", Kind.ADDRESSES, "The brokers that the gateway writes to."),
    /** Properties of the gateway's producer. */
    PRODUCER(
            "approx.producer",
            "",
            Kind.TEXT,
            "Path of a file with further properties of the gateway's producer, such as security."),
    /** Where a gateway listens. */
    GATEWAY_LISTEN("approx.gateway.listen", "127.0.0.1:9096", Kind.ADDRESS, "Where the gateway listens, TCP and UDP."),
    /** Its key store. */
    KEYSTORE("approx.keystore", "", Kind.TEXT, "Path of a PKCS12 store with the gateway's key and certificate."),
    /** Its password. */
    KEYSTORE_PASSWORD("approx.keystore.password", "", Kind.SECRET, "The password of that store."),
    /** Where reports go. */
    REPORTS(
            "approx.reports",
            "approx-reports",
            Kind.TEXT,
            "The topic that reports of windows are written to; empty for none."),
    /** Whether records say which report counts them. */
    MARK(
            "approx.mark",
            "off",
            Kind.TEXT,
            "on: the gateway gives each record the header approx-source, which is the source of the report that counts it;"
                    + " off: records are as their producers made them."),
    /** The status page. */
    STATUS(
            "approx.status",
            "",
            Kind.ADDRESS,
            "Where status, metrics and the live page are served over HTTP; empty for nowhere.");

    /** What an option's value looks like. */
    public enum Kind {
        /** Any text. */
        TEXT,
        /** Text that is never shown. */
        SECRET,
        /** host:port. */
        ADDRESS,
        /** host:port, separated by commas. */
        ADDRESSES,
        /** Above 0, at most 1. */
        FRACTION,
        /** A whole number, not negative. */
        NUMBER,
        /** A number with ms, s, m or h. */
        DURATION
    }

    private final String key;
    private final String fallback;
    private final Kind kind;
    private final String text;

    ApproxOption(String key, String fallback, Kind kind, String text) {
        this.key = key;
        this.fallback = fallback;
        this.kind = kind;
        this.text = text;
    }

    /** The key. */
    public String key() {
        return key;
    }

    /** The value if none is given; empty for none. */
    public String fallback() {
        return fallback;
    }

    /** What the value looks like. */
    public Kind kind() {
        return kind;
    }

    /** What it does. */
    public String text() {
        return text;
    }
}
