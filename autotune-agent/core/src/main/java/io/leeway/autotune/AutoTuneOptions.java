package io.leeway.autotune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Every option, once. Agent arguments ({@code -javaagent:autotune-agent.jar=tune=true,window=10s}, without the prefix)
 * go before system properties, those before environment variables, those before {@code autotune.file}.
 *
 * @since 0.1
 */
public final class AutoTuneOptions {

    /** The prefix of all keys. */
    public static final String PREFIX = "autotune.";

    public static final AutoTuneOption<String> FILE = AutoTuneOption.text(
            "autotune.file",
            "",
            "path",
            "Properties file with options; agent arguments, system properties and the environment go before it.");

    public static final AutoTuneOption<Boolean> ENABLED =
            AutoTuneOption.flag("autotune.enabled", true, "false makes the agent do nothing at all.");

    public static final AutoTuneOption<Boolean> TUNE = AutoTuneOption.flag(
            "autotune.tune",
            false,
            "Whether the agent tunes by itself, without a controller; otherwise it waits to be told.");

    public static final AutoTuneOption<Duration> DELAY = AutoTuneOption.duration(
            "autotune.delay", "30s", "0s", "24h", "After how long the agent begins to tune by itself.");

    public static final AutoTuneOption<String> NAME = AutoTuneOption.text(
            "autotune.name",
            "",
            "word",
            "The service's name in logs and in the controller; empty takes the main class.");

    public static final AutoTuneOption<String> LOG = AutoTuneOption.text(
            "autotune.log",
            "",
            "path",
            "The agent's own log; empty is standard error. It never logs through the host.");

    public static final AutoTuneOption<Integer> PORT = AutoTuneOption.number(
            "autotune.port", 0, 0, 65_535, "Loopback port of the agent's control channel; 0 takes a free one.");

    public static final AutoTuneOption<String> DIRECTORY = AutoTuneOption.text(
            "autotune.directory",
            "",
            "path",
            "Where agents write address and token, readable by their user only; empty is autotune-USER in /tmp, or in the temporary directory where there is no /tmp.");

    public static final AutoTuneOption<String> STATE = AutoTuneOption.text(
            "autotune.state",
            "",
            "path",
            "Where what was kept is stored, so that the service has it again after a restart; empty stores nothing.");

    public static final AutoTuneOption<List<String>> ENTRIES = AutoTuneOption.list(
            "autotune.entries",
            "class#method;…",
            "Further entry points whose latency counts, for services that answer no HTTP.");

    public static final AutoTuneOption<List<String>> MBEANS = AutoTuneOption.list(
            "autotune.mbeans",
            "object name#attribute#min..max;…",
            "Attributes of MBeans that are knobs: numbers with bounds.");

    public static final AutoTuneOption<Boolean> FLIGHT_RECORDER = AutoTuneOption.flag(
            "autotune.flight-recorder",
            false,
            "Whether a few events of the JDK's flight recorder are streamed: collector's pauses, waits for locks, sockets and files.");

    public static final AutoTuneOption<List<String>> RANGES = AutoTuneOption.list(
            "autotune.ranges", "knob=min..max;…", "Bounds of knobs, instead of those that the agent takes.");

    public static final AutoTuneOption<List<String>> ONLY =
            AutoTuneOption.list("autotune.only", "prefix;…", "Tunes knobs whose name begins so; empty tunes all.");

    public static final AutoTuneOption<List<String>> EXCEPT = AutoTuneOption.list(
            "autotune.except", "prefix;…", "Leaves out knobs whose name begins so; they are not even listed.");

    public static final AutoTuneOption<Integer> ROUNDS =
            AutoTuneOption.number("autotune.rounds", 14, 0, 10_000, "Rounds of the learner; two make one step.");

    public static final AutoTuneOption<Duration> WINDOW =
            AutoTuneOption.duration("autotune.window", "20s", "1s", "24h", "How long a setting is measured.");

    public static final AutoTuneOption<Duration> SETTLE = AutoTuneOption.duration(
            "autotune.settle", "2s", "0s", "1h", "How long after a change nothing is measured.");

    public static final AutoTuneOption<Integer> VERIFY_PAIRS = AutoTuneOption.number(
            "autotune.verify.pairs",
            2,
            1,
            100,
            "Fresh windows of the first and of the best setting, in turn, that decide in the end which stays.");

    public static final AutoTuneOption<Double> MIN_GAIN = AutoTuneOption.share(
            "autotune.min-gain", 0.05, 0, 1, "The share of p95 that a setting has to save to be kept.");

    public static final AutoTuneOption<Integer> KNOBS = AutoTuneOption.number(
            "autotune.knobs",
            6,
            1,
            1_000,
            "How many knobs the learner gets: those that the selector found to matter most.");

    public static final AutoTuneOption<Double> STEP = AutoTuneOption.share(
            "autotune.step",
            0.3,
            0.0001,
            1,
            "The learner's step size: how far its centre moves for a difference, at most twice the radius.");

    public static final AutoTuneOption<Double> RADIUS = AutoTuneOption.share(
            "autotune.radius",
            0.1,
            0.001,
            0.49,
            "How far from its centre the learner probes, as a share of a knob's range.");

    public static final AutoTuneOption<Integer> RESTARTS_PER_HOUR = AutoTuneOption.number(
            "autotune.restarts-per-hour", 2, 0, 3_600, "Changes in an hour that restart or reload something, at most.");

    public static final AutoTuneOption<Double> GUARD_LATENCY = AutoTuneOption.share(
            "autotune.guard.latency",
            1.5,
            1,
            1_000,
            "A change is taken back at so many times the p95 of the setting before.");

    public static final AutoTuneOption<Double> GUARD_THROUGHPUT = AutoTuneOption.share(
            "autotune.guard.throughput",
            0.8,
            0,
            1,
            "A change is taken back below this share of the throughput before.");

    public static final AutoTuneOption<Double> GUARD_ERRORS = AutoTuneOption.share(
            "autotune.guard.errors",
            0.01,
            0,
            1,
            "A change is taken back if the share of failed requests rises by this.");

    public static final AutoTuneOption<Double> GUARD_HEAP = AutoTuneOption.share(
            "autotune.guard.heap",
            0.95,
            0,
            1,
            "A change is taken back if more of the heap than this is in use after a collection.");

    public static final AutoTuneOption<Duration> DEAD_MAN = AutoTuneOption.duration(
            "autotune.dead-man",
            "60s",
            "1s",
            "1h",
            "After how long without a word from who changed a knob the agent goes back to what was last kept.");

    private static final List<AutoTuneOption<?>> ALL = List.of(
            FILE,
            ENABLED,
            TUNE,
            DELAY,
            NAME,
            LOG,
            PORT,
            DIRECTORY,
            STATE,
            ENTRIES,
            MBEANS,
            FLIGHT_RECORDER,
            RANGES,
            ONLY,
            EXCEPT,
            ROUNDS,
            WINDOW,
            SETTLE,
            VERIFY_PAIRS,
            MIN_GAIN,
            KNOBS,
            STEP,
            RADIUS,
            RESTARTS_PER_HOUR,
            GUARD_LATENCY,
            GUARD_THROUGHPUT,
            GUARD_ERRORS,
            GUARD_HEAP,
            DEAD_MAN);

    private final Map<String, Object> values;

    private AutoTuneOptions(Map<String, Object> values) {
        this.values = values;
    }

    /** All options, in the order of the documentation. */
    public static List<AutoTuneOption<?>> all() {
        return ALL;
    }

    /** The defaults. */
    public static AutoTuneOptions defaults() {
        return of("", key -> null, key -> null);
    }

    /** From agent arguments, this JVM's system properties and environment. */
    public static AutoTuneOptions ofThisProcess(@Nullable String arguments) {
        return of(arguments == null ? "" : arguments, System::getProperty, System::getenv);
    }

    /**
     * From all sources.
     *
     * @throws AutoTuneException with {@link AutoTuneError#BAD_OPTION} that names all that is wrong at once
     */
    static AutoTuneOptions of(
            String arguments, UnaryOperator<@Nullable String> properties, UnaryOperator<@Nullable String> environment) {
        var faults = new ArrayList<String>();
        Map<String, String> given = arguments(arguments, faults);
        String file = first(FILE, given, properties, environment, new Properties());
        Properties fromFile = read(file == null ? "" : file, faults);
        var values = new TreeMap<String, Object>();
        for (AutoTuneOption<?> option : ALL) {
            String text = first(option, given, properties, environment, fromFile);
            try {
                values.put(option.key(), option.parser().apply(text == null ? option.standard() : text));
            } catch (IllegalArgumentException e) {
                faults.add(option.key() + " is " + option.values() + ", not " + text);
            }
        }
        if (!faults.isEmpty()) {
            throw AutoTuneError.BAD_OPTION.because(String.join("; ", faults));
        }
        return new AutoTuneOptions(values);
    }

    private static Map<String, String> arguments(String text, List<String> faults) {
        var given = new TreeMap<String, String>();
        for (String part : text.isBlank() ? new String[0] : text.split(",")) {
            int at = part.indexOf('=');
            String key = PREFIX + (at < 0 ? part : part.substring(0, at)).strip();
            if (at < 0 || !isKnown(key)) {
                faults.add("unknown: " + part + ", keys are " + keys());
            } else {
                given.put(key, part.substring(at + 1).strip());
            }
        }
        return given;
    }

    private static Properties read(String file, List<String> faults) {
        var properties = new Properties();
        if (file.isEmpty()) {
            return properties;
        }
        try (var reader = Files.newBufferedReader(Path.of(file))) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            faults.add(FILE.key() + " cannot be read: " + e);
        }
        properties.stringPropertyNames().stream()
                .filter(key -> !isKnown(key))
                .forEach(key -> faults.add("unknown in the file: " + key));
        return properties;
    }

    private static boolean isKnown(String key) {
        return ALL.stream().anyMatch(option -> option.key().equals(key));
    }

    private static List<String> keys() {
        return ALL.stream()
                .map(option -> option.key().substring(PREFIX.length()))
                .toList();
    }

    private static @Nullable String first(
            AutoTuneOption<?> option,
            Map<String, String> given,
            UnaryOperator<@Nullable String> properties,
            UnaryOperator<@Nullable String> environment,
            Properties file) {
        for (String value : Arrays.asList(
                given.get(option.key()),
                properties.apply(option.key()),
                environment.apply(option.variable()),
                file.getProperty(option.key()))) {
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /** The value of an option. */
    @SuppressWarnings("unchecked") // put there by the option's own parser
    public <T> T get(AutoTuneOption<T> option) {
        return (T) Objects.requireNonNull(values.get(option.key()));
    }

    /** These with another value of an option, as text. */
    public AutoTuneOptions with(AutoTuneOption<?> option, String value) {
        var changed = new TreeMap<>(values);
        try {
            changed.put(option.key(), option.parser().apply(value));
        } catch (IllegalArgumentException e) {
            throw AutoTuneError.BAD_OPTION.because(option.key() + " is " + option.values() + ", not " + value);
        }
        return new AutoTuneOptions(changed);
    }
}
