package io.leeway.autotune.internal.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The control groups that this process is in, of the first and of the second version, also both at once. The tightest
 * limit on the way to the root holds. Pressure is the group's own where there is one, else the machine's. What cannot be
 * read is left out; nothing throws.
 */
public final class Cgroups {

    private static final double UNLIMITED = 1L << 60;

    private final Path proc;
    private final Map<String, Group> first = new LinkedHashMap<>();
    private final Optional<Group> second;

    /** A group's directory, and where its hierarchy begins. */
    private record Group(Path directory, Path root) {

        OptionalDouble tightest(String file, boolean firstOfTwoByTheOther) {
            double least = Double.POSITIVE_INFINITY;
            for (Path at = directory; at != null && at.startsWith(root); at = at.getParent()) {
                OptionalDouble limit = firstOfTwoByTheOther ? quotient(at.resolve(file)) : number(at.resolve(file), "");
                least = limit.isPresent() && limit.getAsDouble() > 0 ? Math.min(least, limit.getAsDouble()) : least;
            }
            return Double.isFinite(least) && least < UNLIMITED ? OptionalDouble.of(least) : OptionalDouble.empty();
        }

        /** {@code 50000 100000}: half a core. */
        private static OptionalDouble quotient(Path file) {
            String[] parts = text(file).strip().split(" ");
            try {
                return parts.length == 2
                        ? OptionalDouble.of(Double.parseDouble(parts[0]) / Double.parseDouble(parts[1]))
                        : OptionalDouble.empty();
            } catch (NumberFormatException e) {
                return OptionalDouble.empty();
            }
        }

        OptionalDouble get(String file, String key) {
            return number(directory.resolve(file), key);
        }
    }

    /**
     * Finds them.
     *
     * @param proc {@code /proc}; another directory in tests
     */
    public Cgroups(Path proc) {
        this.proc = proc;
        Group unified = null;
        for (String line : text(proc.resolve("self/cgroup")).lines().toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                unified = find("cgroup2", "", parts[2]);
            } else if (parts.length == 3) {
                for (String controller : parts[1].split(",")) {
                    Group group = find("cgroup", controller, parts[2]);
                    if (group != null) {
                        first.put(controller, group);
                    }
                }
            }
        }
        this.second = Optional.ofNullable(unified);
    }

    /** By the table of mounts; in a container the path may be seen from outside, then the mount itself is the group. */
    private @org.jspecify.annotations.Nullable Group find(String type, String controller, String path) {
        for (String line : text(proc.resolve("self/mountinfo")).lines().toList()) {
            String[] halves = line.split(" - ", 2);
            String[] fields = halves[0].split(" ");
            if (halves.length == 2
                    && fields.length > 4
                    && halves[1].startsWith(type + " ")
                    && (controller.isEmpty() || hasOption(halves[1], controller))) {
                Path root = Path.of(fields[4]);
                Path inside = root.resolve(path.substring(Math.min(1, path.length())));
                return new Group(Files.isDirectory(inside) ? inside.normalize() : root, root);
            }
        }
        return null;
    }

    private static boolean hasOption(String half, String controller) {
        return List.of(half.substring(half.lastIndexOf(' ') + 1).split(",")).contains(controller);
    }

    /** What they say now, by name; see the table of signals in the documentation. */
    public Map<String, Double> read() {
        var values = new LinkedHashMap<String, Double>();
        Group cpu = first.get("cpu");
        Group memory = first.get("memory");
        if (cpu != null) {
            cpuOfTheFirstVersion(cpu, values);
        }
        if (memory != null) {
            put(values, "cgroup.memory.limit", memory.tightest("memory.limit_in_bytes", false));
            put(values, "cgroup.memory.used", memory.get("memory.usage_in_bytes", ""));
            put(values, "cgroup.memory.oom-kills", memory.get("memory.oom_control", "oom_kill"));
        }
        second.ifPresent(group -> {
            put(values, "cgroup.cpu.limit", group.tightest("cpu.max", true));
            put(values, "cgroup.cpu.periods", group.get("cpu.stat", "nr_periods"));
            put(values, "cgroup.cpu.throttled", group.get("cpu.stat", "nr_throttled"));
            put(values, "cgroup.cpu.throttled-ms", scaled(group.get("cpu.stat", "throttled_usec"), 1e-3));
            put(values, "cgroup.memory.limit", group.tightest("memory.max", false));
            put(values, "cgroup.memory.used", group.get("memory.current", ""));
            put(values, "cgroup.memory.oom-kills", group.get("memory.events", "oom_kill"));
        });
        for (String resource : List.of("cpu", "memory", "io")) {
            pressure(resource, values);
        }
        return values;
    }

    private static void cpuOfTheFirstVersion(Group cpu, Map<String, Double> values) {
        OptionalDouble quota = cpu.get("cpu.cfs_quota_us", "");
        OptionalDouble period = cpu.get("cpu.cfs_period_us", "");
        if (quota.isPresent() && period.isPresent() && quota.getAsDouble() > 0) {
            values.put("cgroup.cpu.limit", quota.getAsDouble() / period.getAsDouble());
        }
        put(values, "cgroup.cpu.periods", cpu.get("cpu.stat", "nr_periods"));
        put(values, "cgroup.cpu.throttled", cpu.get("cpu.stat", "nr_throttled"));
        put(values, "cgroup.cpu.throttled-ms", scaled(cpu.get("cpu.stat", "throttled_time"), 1e-6));
    }

    /** The share of the last ten seconds in which some, or all, waited for it. */
    private void pressure(String resource, Map<String, Double> values) {
        String text = second.map(group -> text(group.directory().resolve(resource + ".pressure")))
                .filter(found -> !found.isEmpty())
                .orElseGet(() -> text(proc.resolve("pressure").resolve(resource)));
        for (String line : text.lines().toList()) {
            String[] words = line.split(" ");
            if (words.length > 1 && words[1].startsWith("avg10=")) {
                put(values, "pressure." + resource + "." + words[0], parsed(words[1].substring("avg10=".length())));
            }
        }
    }

    private static OptionalDouble scaled(OptionalDouble value, double factor) {
        return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * factor) : value;
    }

    /** The first that says something: a hierarchy of the first version goes before one of the second. */
    private static void put(Map<String, Double> values, String name, OptionalDouble value) {
        if (value.isPresent()) {
            values.putIfAbsent(name, value.getAsDouble());
        }
    }

    private static OptionalDouble number(Path file, String key) {
        for (String line : text(file).lines().toList()) {
            if (key.isEmpty()) {
                return parsed(line.strip());
            }
            if (line.startsWith(key + " ")) {
                return parsed(line.substring(key.length() + 1).strip());
            }
        }
        return OptionalDouble.empty();
    }

    private static OptionalDouble parsed(String text) {
        try {
            return OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
