package io.leeway.pipelining;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every option, once, and a set of values for them. Options are given as texts under their keys, which are API. Immutable and
 * thread-safe.
 *
 * @since 0.1
 */
public final class PipeliningOptions {

    /** The prefix of all keys. */
    public static final String PREFIX = "pipelining.";

    /** Which of a set of new threads go when one of them did not help. */
    public enum Revert {
        /** All of the set, since they were chosen to balance together. */
        ALL,
        /** Those that did not help. */
        FAILED
    }

    public static final PipeliningOption<Boolean> OBSERVE = PipeliningOption.flag(
            "pipelining.observe", false, "Profile and tell what would be done, and change nothing.");

    public static final PipeliningOption<String> FIXED = PipeliningOption.text(
            "pipelining.fixed",
            "",
            "names of operators, with ; between them",
            "Operators that get a thread as soon as they run and keep it, untried; no others do. To keep what an earlier run"
                    + " has found, or to place threads by hand.");

    public static final PipeliningOption<Integer> THREADS = PipeliningOption.number(
            "pipelining.threads",
            0,
            0,
            1_024,
            "Threads that run operators at most, those of the sources among them; 0 is the number of processors, at least"
                    + " one more than there are sources.");

    public static final PipeliningOption<Duration> START_DELAY = PipeliningOption.duration(
            "pipelining.start.delay", "5s", "0s", "1h", "How long a graph runs before it is looked at.");

    public static final PipeliningOption<Duration> PROFILE_PERIOD =
            PipeliningOption.duration("pipelining.profile.period", "5s", "10ms", "10m", "How long one profile takes.");

    public static final PipeliningOption<Integer> PROFILE_RATE = PipeliningOption.number(
            "pipelining.profile.rate", 100, 1, 10_000, "Samples a second while a profile is taken.");

    public static final PipeliningOption<Duration> EVALUATE_PERIOD = PipeliningOption.duration(
            "pipelining.evaluate.period",
            "5s",
            "10ms",
            "10m",
            "How long rates are measured before and after a change, each.");

    public static final PipeliningOption<Duration> WATCH_PERIOD = PipeliningOption.duration(
            "pipelining.watch.period",
            "10s",
            "10ms",
            "1h",
            "How often rates are compared with those at which the graph settled.");

    public static final PipeliningOption<Double> BUSY = PipeliningOption.share(
            "pipelining.busy", 0.8, 0.01, 1.0, "β: from which utilisation on a thread needs help.");

    public static final PipeliningOption<Double> IMPROVEMENT = PipeliningOption.share(
            "pipelining.improvement",
            0.05,
            0.0,
            10.0,
            "By which share every helped operator has to get faster for a change to be kept.");

    public static final PipeliningOption<Double> GIVE_UP = PipeliningOption.share(
            "pipelining.give-up", 0.5, 0.0, 1.0, "α: which share of all ports may fail before nothing more is tried.");

    public static final PipeliningOption<Double> SHIFT = PipeliningOption.share(
            "pipelining.shift",
            0.3,
            0.01,
            100.0,
            "By which share rates have to differ from those at which the graph settled for it to start over.");

    public static final PipeliningOption<Revert> REVERT = PipeliningOption.choice(
            "pipelining.revert",
            Revert.class,
            Revert.ALL,
            "Which of the new threads are taken out when one of them did not help.");

    public static final PipeliningOption<Duration> HAND_OVER = PipeliningOption.duration(
            "pipelining.hand-over",
            "0us",
            "0us",
            "1s",
            "What handing one tuple over costs each side; 0us is what the host has measured.");

    public static final PipeliningOption<Integer> QUEUE = PipeliningOption.number(
            "pipelining.queue",
            256,
            2,
            65_536,
            "Tuples that wait in front of one thread at most; made a power of two, and 4 at least.");

    public static final PipeliningOption<Duration> PAUSE_LIMIT = PipeliningOption.duration(
            "pipelining.pause.limit",
            "10s",
            "1ms",
            "1h",
            "How long to wait for the flow to stop before a change is given up.");

    public static final PipeliningOption<Integer> PAGE_PORT = PipeliningOption.number(
            "pipelining.page.port",
            -1,
            -1,
            65_535,
            "Port on the loopback address on which the page, its text and the metrics are served; 0 takes a free one, -1"
                    + " serves none.");

    public static final PipeliningOption<String> FLINK_DENY = PipeliningOption.text(
            "pipelining.flink.deny",
            "",
            "prefixes of class names, with ; between them",
            "Operators and user functions that are bound to the thread that opened them: no thread is put before them.");

    public static final PipeliningOption<String> FLINK_CUT = PipeliningOption.text(
            "pipelining.flink.cut",
            "",
            "names of operators, with ; between them",
            "Operators in front of which a chain is cut when a job is submitted, with the identities of all operators as they"
                    + " were, so that a savepoint of the uncut job restores.");

    private static final List<PipeliningOption<?>> ALL = List.of(
            OBSERVE,
            FIXED,
            THREADS,
            START_DELAY,
            PROFILE_PERIOD,
            PROFILE_RATE,
            EVALUATE_PERIOD,
            WATCH_PERIOD,
            BUSY,
            IMPROVEMENT,
            GIVE_UP,
            SHIFT,
            REVERT,
            HAND_OVER,
            QUEUE,
            PAUSE_LIMIT,
            PAGE_PORT,
            FLINK_DENY,
            FLINK_CUT);

    private final Map<String, Object> values;

    private PipeliningOptions(Map<String, Object> values) {
        this.values = Map.copyOf(values);
    }

    /** All options, in the order of the documentation. */
    public static List<PipeliningOption<?>> all() {
        return ALL;
    }

    /** The defaults. */
    public static PipeliningOptions defaults() {
        return of(Map.of());
    }

    /**
     * Reads texts under the options' keys; what is missing has its default.
     *
     * @throws PipeliningException with {@link PipeliningError#BAD_OPTION} and all faults at once
     */
    public static PipeliningOptions of(Map<String, String> given) {
        var values = new HashMap<String, Object>();
        var faults = new ArrayList<String>();
        for (PipeliningOption<?> option : ALL) {
            try {
                values.put(option.key(), option.read(given.getOrDefault(option.key(), option.preset())));
            } catch (IllegalArgumentException e) {
                faults.add(String.valueOf(e.getMessage()));
            }
        }
        for (String key : given.keySet()) {
            if (!values.containsKey(key)
                    && ALL.stream().noneMatch(option -> option.key().equals(key))) {
                faults.add("there is no option " + key);
            }
        }
        if (!faults.isEmpty()) {
            faults.sort(null);
            throw PipeliningError.BAD_OPTION.with(String.join("; ", faults) + ".");
        }
        return new PipeliningOptions(values);
    }

    /** The value of an option. */
    public <T> T get(PipeliningOption<T> option) {
        @SuppressWarnings("unchecked") // written under this key by this option's reader
        T value = (T) values.get(option.key());
        if (value == null) {
            throw new IllegalArgumentException("no option of this product: " + option.key());
        }
        return value;
    }

    /** A value as nanoseconds. */
    public long nanos(PipeliningOption<Duration> option) {
        return get(option).toNanos();
    }
}
