package io.leeway.benchmarks.results;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a figure was measured. */
final class Machine {

    private static final long GIB = 1L << 30;

    private Machine() {}

    /** Processor, cores, memory, system and JDK; nothing that names the machine itself. */
    static String describe() {
        return "%s, %d cores, %d GiB, %s %s, JDK %s"
                .formatted(
                        processor(),
                        Runtime.getRuntime().availableProcessors(),
                        Math.round((double) memory() / GIB),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        Runtime.version());
    }

    /** The commit, with a mark if something was changed since. */
    static String commit(Path root) {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
                    .directory(root.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return commit.isEmpty() ? "unknown" : commit;
        } catch (IOException noGit) {
            return "unknown";
        }
    }

    private static String processor() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown processor");
        } catch (IOException notLinux) {
            return "unknown processor";
        }
    }

    private static long memory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 0;
    }
}
