package io.leeway.netsim;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The keys of an experiment file. */
public enum ExperimentKey {
    /** Which of the studies. */
    STUDY("", "`jobs` (transports in a fabric) or `training` (iterations of distributed training)", ""),
    /** For people. */
    TITLE("experiment", "title of the report", ""),
    /** Where randomness comes from. */
    SEED("1", "what all randomness follows from", ""),
    /** Times that each case is run. */
    REPLICATIONS("1", "runs of each case with seeds of their own, in parallel; 1 to 1000", "jobs"),
    /** Which nodes are joined. */
    TOPOLOGY("star 16", "`star N`, `leaf-spine LEAVES SPINES HOSTS-PER-LEAF`, `fat-tree K`, `three-tier-192`", "jobs"),
    /** Rate of every link. */
    RATE("40Gbps", "rate of every link: a number and `Gbps` or `Mbps`", "jobs"),
    /** Delay of every link. */
    DELAY("1us", "propagation of every link: a number and `us` or `ns`", "jobs"),
    /** Who sends to whom. */
    PATTERN("all-to-all", "`all-to-all`, `incast` (to host 0) or `permutation`", "jobs"),
    /** Lengths of messages. */
    SIZES("fbkv", "lengths of messages: `fbkv`, `fbhd`, or a number of bytes", "jobs"),
    /** Messages a job. */
    MESSAGES("200", "messages a job; 1 to 1000000", "jobs"),
    /** How many jobs. */
    JOBS("64", "how many jobs; 1 to 1000000", "jobs"),
    /** Offered load. */
    LOAD(
            "0.6",
            "offered bytes as a part of what the receivers' links carry, 0 to 2; with 0 all jobs start at once",
            "jobs"),
    /** Exact traffic. */
    EXACT_SHARE("0", "the part of the jobs that is not approximate and sent by DCTCP, 0 to 1", "jobs"),
    /** Sampling rates. */
    MSR("0.5", "shares of messages that a job needs; a list is swept", "jobs"),
    /** Transports. */
    TRANSPORTS("[atp, dctcp-es]", "what jobs are sent by; see the table of transports", "jobs"),
    /** The longest simulated time. */
    SECONDS("1", "simulated seconds after which a run stops, whatever is unfinished; up to 1000", "jobs"),
    /** Models. */
    MODELS("[vgg-16]", "`inception-v3`, `vgg-16`, `resnet-101`, `resnet-200`, or directories of traces", "training"),
    /** Mechanisms. */
    MECHANISMS("[baseline, ring]", "how parameters and gradients travel; see the table of mechanisms", "training"),
    /** Workers. */
    WORKERS("32", "numbers of workers, 2 to 512; a list is swept", "training"),
    /** Rates. */
    RATES("25Gbps", "rates of the hosts' links; a list is swept", "training"),
    /** Processors. */
    SPEEDS("1", "factors by which processors are faster; a list is swept", "training"),
    /** Parameter servers. */
    SERVERS("1", "parameter servers, 1 to 64", "training"),
    /** Where parameters are. */
    PLACEMENT(
            "round-robin",
            "`round-robin`, `even-split`, or a list with the server of each tensor, which repeats",
            "training"),
    /** What a switch has to have whole. */
    UNIT(
            "parameter",
            "what an aggregating switch has to have whole before it sends on: `parameter` or `segment`",
            "training"),
    /** Bytes sent on as a whole. */
    SEGMENT("131072", "bytes that are sent on as a whole, 1000 to 100000000", "training"),
    /** Whether parameters are cut. */
    MESSAGING("true", "whether rings cut each parameter over the workers", "training"),
    /** Spread of compute times. */
    JITTER("0", "deviation of the logarithm of the workers' compute times, 0 to 1", "training");

    private final String standard;
    private final String meaning;
    private final String study;

    ExperimentKey(String standard, String meaning, String study) {
        this.standard = standard;
        this.meaning = meaning;
        this.study = study;
    }

    /** What is written in files. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What holds when it is not given; empty if it has to be. */
    public String standard() {
        return standard;
    }

    /** What it means. */
    public String meaning() {
        return meaning;
    }

    /** The study that it belongs to; empty for both. */
    public String study() {
        return study;
    }

    List<String> standardValues() {
        return Arrays.stream(standard.replaceAll("[\\[\\]]", "").split(", ")).toList();
    }
}
