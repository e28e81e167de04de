package io.leeway.netsim;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The keys of an experiment file. */
public enum ExperimentKey {
    /** Which of the studies. */
    STUDY(
            "",
            "`jobs` (transports in a fabric), `timeline` (one job of it, followed) or `training` (iterations of"
                    + " distributed training)",
            ""),
    /** For people. */
    TITLE("experiment", "title of the report", ""),
    /** For people, longer. */
    ABOUT("[]", "what it shows; a sentence above the plots", ""),
    /** What is expected. */
    CHECKS("[]", "what is expected of the results; see checks", ""),
    /** Where randomness comes from. */
    SEED("1", "what all randomness follows from; 0 to 2147483647", ""),
    /** Times that each case is run. */
    REPLICATIONS("1", "runs of each case with seeds of their own, in parallel; 1 to 1000", "jobs"),
    /** Which nodes are joined. */
    TOPOLOGY(
            "star 16",
            "2 hosts or more: `star N`, `dumbbell LEFT RIGHT` and perhaps how much faster the link between its two"
                    + " switches is, `leaf-spine LEAVES SPINES HOSTS-PER-LEAF` and perhaps how much faster its spines'"
                    + " links are, `fat-tree K` (even, up to 32), `fat-tree-192`, `three-tier-192`; numbers are up to"
                    + " 2000, and leaves times hosts up to 20000",
            "jobs, timeline"),
    /** Rate of every link. */
    RATE("40Gbps", "rate of every link: a number and `Gbps` or `Mbps`, 1 Mbit/s to 10 Tbit/s", "jobs, timeline"),
    /** Delay of every link. */
    DELAY("1us", "propagation of every link: a number up to 999999999 and `us` or `ns`", "jobs, timeline"),
    /** Memory of a switch. */
    BUFFER(
            "1500000",
            "bytes that all ports of a switch share, 100000 to 1000000000; pFabric has its own",
            "jobs, timeline"),
    /** Where packets are marked. */
    MARK(
            "65",
            "full packets in the highest queue of a port above which packets are marked (ECN), 1 to 100000; a faster"
                    + " link has as many times more",
            "jobs, timeline"),
    /** Who sends to whom. */
    PATTERN("all-to-all", "`all-to-all`, `incast` (to host 0), `permutation` or `pair` (host 1 to host 0)", "jobs"),
    /** Lengths of messages. */
    SIZES("fbkv", "lengths of messages: `fbkv`, `fbhd`, or a number of bytes up to 50000000", "jobs, timeline"),
    /** When messages are there. */
    ARRIVALS(
            "together",
            "when the messages of a job are there: `together`, or one after another `poisson 1us` or `etc 1us` with"
                    + " that mean gap; `etc` alone has the published 19 us",
            "jobs, timeline"),
    /** Messages a job. */
    MESSAGES("200", "messages a job; 1 to 1000000", "jobs, timeline"),
    /** How many jobs. */
    JOBS("64", "how many jobs; 1 to 100000000", "jobs"),
    /** Offered load. */
    LOAD(
            "0.6",
            "offered bytes as a part of what the receivers' links carry, 0 to 2; with 0 all jobs start at once; a list"
                    + " is swept",
            "jobs"),
    /** Exact traffic. */
    EXACT_SHARE("0", "the part of the jobs that is not approximate and sent by DCTCP, 0 to 1; a list is swept", "jobs"),
    /** Jobs from a file. */
    FLOWS(
            "none",
            "a file of jobs, `start_us,from,to,sizes` or with `,msr` or with `,msr,group`; instead of pattern, sizes,"
                    + " arrivals, messages, jobs and load",
            "jobs"),
    /** Other jobs. */
    BESIDE(
            "[]",
            "other jobs between random hosts by the same transport: a list as `fbhd x 20, msr 0.9, load 0.3`, each in"
                    + " quotes",
            "jobs"),
    /** How many other jobs. */
    BESIDE_SCALE("1", "what the load of those beside is multiplied with, 0 to 10; a list is swept", "jobs"),
    /** When the measured jobs start. */
    AFTER(
            "0us",
            "when the first job may start, a number up to 999999999 and `us` or `ns`; those beside and the background"
                    + " start at 0",
            "jobs, timeline"),
    /** Packets that nobody counts. */
    BACKGROUND(
            "[]",
            "packets to host 0 that nobody counts: a list as `0.6 in queue 4 from 0us`, below 8 links, in queue 0 to"
                    + " 7; `own` is the queue that the job begins in, `own-1` the one above",
            "jobs, timeline"),
    /** How often a job is looked at. */
    INTERVAL("10us", "how often the job is looked at: a number and `us` or `ns`", "timeline"),
    /** Sampling rates. */
    MSR("0.5", "shares of messages that a job needs, 0.001 to 1; a list is swept", "jobs, timeline"),
    /** Transports. */
    TRANSPORTS("[atp, dctcp-es]", "what jobs are sent by; see the table of transports", "jobs, timeline"),
    /** The longest simulated time. */
    SECONDS(
            "1",
            "simulated seconds after which a run stops, whatever is unfinished; 0.000001 to 1000",
            "jobs, timeline"),
    /** Models. */
    MODELS(
            "[vgg-16]",
            "`inception-v3`, `vgg-16`, `resnet-101`, `resnet-200`, with modules added as `inception-v3+25-compute` or"
                    + " `+25-network`, or directories of traces",
            "training"),
    /** Mechanisms. */
    MECHANISMS("[baseline, ring]", "how parameters and gradients travel; see the table of mechanisms", "training"),
    /** Workers. */
    WORKERS("32", "numbers of workers, 2 to 512; a list is swept", "training"),
    /** Rates. */
    RATES("25Gbps", "rates of the hosts' links, each as `rate` of the other studies; a list is swept", "training"),
    /** Processors. */
    SPEEDS("1", "factors by which processors are faster, 0.01 to 1000; a list is swept", "training"),
    /** Parameter servers. */
    SERVERS("1", "numbers of parameter servers, 1 to 64; a list is swept", "training"),
    /** The barrier of the servers. */
    BARRIER(
            "true",
            "`true` if servers distribute when they have everything, `false` if each parameter when they have that"
                    + " one; then `seconds` is the mean of two iterations that overlap",
            "training"),
    /** Where parameters are. */
    PLACEMENT(
            "round-robin",
            "`round-robin`, `even-split`, `skew 0.9` (the fullest server has that share), or a list with the server of"
                    + " each tensor, which repeats",
            "training"),
    /** What a switch has to have whole. */
    UNIT(
            "parameter",
            "what an aggregating switch has to have whole before it sends on: `parameter`, `message` (a parameter cut"
                    + " over the workers) or `packet` (a segment)",
            "training"),
    /** Bytes sent on as a whole. */
    SEGMENT("131072", "bytes that are sent on as a whole, 1000 to 100000000", "training"),
    /** Whether parameters are cut. */
    MESSAGING("true", "`true` if rings cut each parameter over the workers, else `false`", "training"),
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

    /** What holds when it is not given; empty if it has to be, {@code []} for nothing. */
    public String standard() {
        return standard;
    }

    /** What it means. */
    public String meaning() {
        return meaning;
    }

    /** The studies that it belongs to; empty for all. */
    public String study() {
        return study;
    }

    List<String> standardValues() {
        String inner = standard.replaceAll("[\\[\\]]", "");
        return inner.isEmpty() && !standard.isEmpty()
                ? List.of()
                : Arrays.stream(inner.split(", ")).toList();
    }
}
