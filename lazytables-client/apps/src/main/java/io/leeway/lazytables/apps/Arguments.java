package io.leeway.lazytables.apps;

import io.leeway.lazytables.TableSpec;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What was typed: {@code --name=value}, or {@code --name} for what is on or off.
 *
 * <p>Remembers what it was asked for, so that it can tell what nobody asked for. Not for several threads.
 *
 * <p>A process that {@code lazytables run} started finds in its environment which part of the run it is.
 */
public final class Arguments {

    private static final String YES = "true";

    private static final String NUMBER = "{process}";

    private final Map<String, String> environment;
    private final Map<String, String> given = new LinkedHashMap<>();
    private final TreeSet<String> known = new TreeSet<>();

    private Arguments(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Takes what was typed apart. */
    public static Arguments parse(String... typed) {
        return parse(System.getenv(), typed);
    }

    static Arguments parse(Map<String, String> environment, String... typed) {
        var arguments = new Arguments(environment);
        for (String each : typed) {
            if (!each.startsWith("--") || each.length() == 2 || each.startsWith("--=")) {
                throw new BadInputException("not understood: " + each + "; options look like --name=value");
            }
            int equals = each.indexOf('=');
            String name = equals < 0 ? each.substring(2) : each.substring(2, equals);
            String value = equals < 0 ? YES : each.substring(equals + 1);
            if (arguments.given.put(name, value) != null) {
                throw new BadInputException("--" + name + " is given twice");
            }
        }
        return arguments;
    }

    /** A text, or null. */
    public @Nullable String text(String name) {
        known.add(name);
        return given.get(name);
    }

    /** Whether it is on. */
    public boolean isOn(String name) {
        String value = text(name);
        if (value != null && !value.equals(YES)) {
            throw new BadInputException("--" + name + " is given or not, without a value such as " + value);
        }
        return value != null;
    }

    /** A whole number within bounds. */
    public int whole(String name, int otherwise, int least, int most) {
        String value = text(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException none) {
            throw new BadInputException("--" + name + " is no whole number: " + value, none);
        }
        throw new BadInputException("--" + name + " is " + value + ", not within " + least + " to " + most);
    }

    /** A finite number. */
    public double number(String name, double otherwise) {
        String value = text(name);
        if (value == null) {
            return otherwise;
        }
        try {
            double number = Double.parseDouble(value);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException none) {
            throw new BadInputException("--" + name + " is no number: " + value, none);
        }
        throw new BadInputException("--" + name + " is " + value + ", which is not finite");
    }

    /** The seed; without one from the clock. */
    public long seed() {
        String value = text("seed");
        try {
            return value == null ? System.nanoTime() : Long.parseLong(value);
        } catch (NumberFormatException none) {
            throw new BadInputException("--seed is no whole number: " + value, none);
        }
    }

    /** How the application is run. */
    RunSettings settings(long seed) {
        int workers = whole("workers", 4, 1, 1024);
        int processes = processes();
        String work = text("work");
        RunSettings settings = RunSettings.of(workers, seed)
                .spread(whole("instances", processes, 1, workers), whole("servers", 1, 1, 1024))
                .slack(slack())
                .work(work == null ? WorkPerClock.ONE : WorkPerClock.parse(work), whole("passes", 20, 1, 1_000_000))
                .prefetch(prefetch())
                .times(
                        Duration.ofSeconds(whole("timeout-seconds", 300, 1, 86_400)),
                        Duration.ofMillis(whole("delay-millis", 0, 0, 3_600_000)));
        settings = isOn("strict") ? settings.asStrict() : settings;
        settings = isOn("adaptive") ? settings.asAdaptive() : settings;
        Place place = place();
        if (place == null) {
            return settings;
        }
        if (isTold() && settings.instances() != processes) {
            throw new BadInputException("--instances is " + settings.instances() + ", and lazytables run has started "
                    + processes + " processes: leave it out");
        }
        if (settings.instances() > 1 && !given.containsKey("seed")) {
            throw new BadInputException("give --seed, the same to all " + settings.instances()
                    + " processes: what they work on, and its first values, depend on it");
        }
        return settings.at(place);
    }

    /** The file for records, or null; of several processes each has its own. */
    @Nullable
    String log(RunSettings settings) {
        String file = text("log");
        Place place = settings.place();
        if (file == null || place == null) {
            return file;
        }
        if (isTold() && settings.instances() > 1 && !file.contains(NUMBER)) {
            throw new BadInputException("--log=" + file + " is the same file for all " + settings.instances()
                    + " processes: write " + NUMBER + " where the number of each is to be");
        }
        return file.replace(NUMBER, Integer.toString(place.instance()));
    }

    /** Whether {@code lazytables run}, or who does as it does, has said which part of a run this process is. */
    private boolean isTold() {
        return !given.containsKey("connect")
                && !(environment.getOrDefault("LAZYTABLES_SERVERS", "").isBlank()
                        && environment.getOrDefault("LAZYTABLES_REGISTRY", "").isBlank());
    }

    private int processes() {
        return isTold() ? surrounding("LAZYTABLES_PROCESSES", 1) : 1;
    }

    private int surrounding(String variable, int otherwise) {
        String value = environment.getOrDefault(variable, "");
        try {
            return value.isBlank() ? otherwise : Integer.parseInt(value.strip());
        } catch (NumberFormatException none) {
            throw new BadInputException(variable + " in the environment is no whole number: " + value, none);
        }
    }

    private @Nullable Place place() {
        String servers = text("connect");
        int process = whole("process", 0, 0, 65_535);
        boolean resume = isOn("resume");
        String config = text("config");
        if (isTold()) {
            if (given.containsKey("process") || config != null) {
                throw new BadInputException("--process and --config need --connect=host:port,...: the environment says"
                        + " which process this is, in LAZYTABLES_PROCESS");
            }
            return new Place(surrounding("LAZYTABLES_PROCESS", 0), resume, Map.of());
        }
        if (servers == null) {
            if (given.containsKey("process") || resume || config != null) {
                throw new BadInputException("--process, --resume and --config need --connect=host:port,...");
            }
            return null;
        }
        var options = new LinkedHashMap<String, String>();
        if (config != null) {
            options.putAll(properties(config));
        }
        options.put("lazytables.servers", servers);
        return new Place(process, resume, options);
    }

    private static Map<String, String> properties(String file) {
        var properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(file))) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException failed) {
            throw new BadInputException("cannot read " + file + ": " + failed.getMessage(), failed);
        }
        var options = new LinkedHashMap<String, String>();
        properties.stringPropertyNames().forEach(name -> options.put(name, properties.getProperty(name)));
        return options;
    }

    private RowsAhead prefetch() {
        String how = text("prefetch");
        if (!isOn("no-prefetch")) {
            return how == null ? RowsAhead.AGGRESSIVE : RowsAhead.parse(how);
        }
        if (how != null) {
            throw new BadInputException("--prefetch and --no-prefetch contradict each other; give one");
        }
        return RowsAhead.NONE;
    }

    private int slack() {
        return "async".equals(text("slack")) ? TableSpec.ASYNC : whole("slack", 0, 0, Integer.MAX_VALUE - 1);
    }

    /** Refuses what nobody asked for. */
    void refuseOthers() {
        var others = new TreeSet<>(given.keySet());
        others.removeAll(known);
        if (!others.isEmpty()) {
            throw new BadInputException(
                    "unknown: --" + String.join(", --", others) + "; there are --" + String.join(", --", known));
        }
    }
}
