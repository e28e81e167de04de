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
 */
record Usage(long cpuNanos, long bytesRead) {

    static Usage of(ProcessHandle process) {
        return new Usage(
                process.info()
                        .totalCpuDuration()
                        .orElseThrow(() -> new IllegalStateException("the system does not tell CPU times"))
                        .toNanos(),
                bytesRead(process.pid()));
    }

    Usage since(Usage before) {
        return new Usage(cpuNanos - before.cpuNanos, bytesRead - before.bytesRead);
    }

    private static long bytesRead(long pid) {
        try (var lines = Files.lines(Path.of("/proc", String.valueOf(pid), "io"))) {
            return lines.filter(line -> line.startsWith("rchar:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring("rchar:".length()).strip()))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
