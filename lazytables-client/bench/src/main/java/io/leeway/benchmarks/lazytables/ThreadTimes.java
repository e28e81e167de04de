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
 * Threads of a Java machine, by their names, and the CPU time they took, as Linux tells it; elsewhere there are none. They are looked for once, since to look for them costs as much as what is measured: compilers',
 * where there are few cores, the machine keeps from its begin on. One that ends has taken what it had when it was seen last.
 */
final class ThreadTimes {

    /** The system knows no more of a name. */
    private static final int KNOWN_LENGTH = 15;

    static final List<String> COMPILERS = List.of("C1 CompilerThread", "C2 CompilerThread");
    /** That run an application. */
    static final List<String> APPLICATION = List.of("lazytables-app-");
    /** Of a client. */
    static final List<String> NETWORK = List.of("lazytables-client");

    /** Of a server. */
    static final List<String> SERVER = List.of("lazytables-server");

    private final List<Path> times;
    private final long[] seen;

    private ThreadTimes(List<Path> times) {
        this.times = List.copyOf(times);
        seen = new long[times.size()];
    }

    /** Those whose names begin so. */
    static ThreadTimes of(ProcessHandle process, List<String> names) {
        var found = new ArrayList<Path>();
        Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                Path time = thread.resolve("schedstat");
                if (isNamed(thread, names) && Files.isReadable(time)) {
                    found.add(time);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return new ThreadTimes(List.of());
        }
        return new ThreadTimes(found);
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

    static long cpuNanos(List<ThreadTimes> several) {
        return several.stream().mapToLong(ThreadTimes::cpuNanos).sum();
    }

    private static long cpuNanos(Path time, long before) {
        try {
            String text = Files.readString(time);
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        } catch (IOException ended) {
            return before;
        }
    }

    private static boolean isNamed(Path thread, List<String> names) throws IOException {
        try {
            String name = Files.readString(thread.resolve("comm"));
            return names.stream()
                    .anyMatch(begin -> name.startsWith(begin.substring(0, Math.min(begin.length(), KNOWN_LENGTH))));
        } catch (NoSuchFileException ended) {
            return false;
        }
    }
}
