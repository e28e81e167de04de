package io.leeway.benchmarks.results;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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

    /** The commit, with a mark if something was changed since, other than the results that are being recorded. */
    static String commit(Path root) {
        String commit = git(root, "rev-parse", "--short=12", "HEAD");
        if (commit.isEmpty()) {
            return "unknown";
        }
        String changed =
                git(root, "status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/benchmarks/results");
        return changed.isEmpty() ? commit : commit + "-dirty";
    }

    private static String git(Path root, String... arguments) {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(0, "git");
        try {
            Process git = new ProcessBuilder(command)
                    .directory(root.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException noGit) {
            return "";
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
