package io.leeway.benchmarks.hindex;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a process has used since it began.
 *
 * @param cpuNanos CPU time of all its threads, in nanoseconds; the system counts in steps of 10 ms
 * @param bytesRead by read calls, from files and connections, cached by the system or not
 * @param diskBytesRead what the system had to fetch for it from disks
 */
record Usage(long cpuNanos, long bytesRead, long diskBytesRead) {

    static Usage of(ProcessHandle process) {
        return new Usage(
                process.info()
                        .totalCpuDuration()
                        .orElseThrow(() -> new IllegalStateException("the system does not tell CPU times"))
                        .toNanos(),
                counted(process.pid(), "rchar:"),
                counted(process.pid(), "read_bytes:"));
    }

    Usage since(Usage before) {
        return new Usage(
                cpuNanos - before.cpuNanos, bytesRead - before.bytesRead, diskBytesRead - before.diskBytesRead);
    }

    Usage plus(Usage other) {
        return new Usage(cpuNanos + other.cpuNanos, bytesRead + other.bytesRead, diskBytesRead + other.diskBytesRead);
    }

    private static long counted(long pid, String what) {
        try (var lines = Files.lines(Path.of("/proc", String.valueOf(pid), "io"))) {
            return lines.filter(line -> line.startsWith(what))
                    .mapToLong(
                            line -> Long.parseLong(line.substring(what.length()).strip()))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
