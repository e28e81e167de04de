package io.leeway.benchmarks.lazytables;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The threads that compile in a Java machine, and the CPU time they took, as Linux tells it; elsewhere there are none. They are looked for once, since to look for them costs as much as what is measured: where
 * there are few cores the machine keeps them from its begin on. One that ends has taken what it had when it was seen last.
 */
final class Compilers {

    /** Names are cut off by the system. */
    private static final List<String> NAMES = List.of("C1 Compiler", "C2 Compiler");

    private final List<Path> times;
    private final long[] seen;

    private Compilers(List<Path> times) {
        this.times = List.copyOf(times);
        seen = new long[times.size()];
    }

    static Compilers of(ProcessHandle process) {
        var found = new ArrayList<Path>();
        Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                Path time = thread.resolve("schedstat");
                if (isCompiler(thread) && Files.isReadable(time)) {
                    found.add(time);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return new Compilers(List.of());
        }
        return new Compilers(found);
    }

    /** Whether there are any that can be seen. */
    boolean areSeen() {
        return !times.isEmpty();
    }

    long cpuNanos() {
        long sum = 0;
        for (int i = 0; i < seen.length; i++) {
            seen[i] = cpuNanos(times.get(i), seen[i]);
            sum += seen[i];
        }
        return sum;
    }

    private static long cpuNanos(Path time, long before) {
        try {
            String text = Files.readString(time);
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        } catch (IOException ended) {
            return before;
        }
    }

    private static boolean isCompiler(Path thread) throws IOException {
        try {
            String name = Files.readString(thread.resolve("comm"));
            return NAMES.stream().anyMatch(name::startsWith);
        } catch (NoSuchFileException ended) {
            return false;
        }
    }
}
