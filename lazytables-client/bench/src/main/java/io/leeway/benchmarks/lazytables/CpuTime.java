package io.leeway.benchmarks.lazytables;

import java.time.Duration;

/** CPU time of processes, user and system, in nanoseconds; the system counts it in steps of some milliseconds. */
final class CpuTime {

    private CpuTime() {}

    /** Of this process. */
    static long own() {
        return of(ProcessHandle.current());
    }

    /** Of this process and another one, which may be this one again. */
    static long with(ProcessHandle other) {
        return other.equals(ProcessHandle.current()) ? own() : own() + of(other);
    }

    private static long of(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }
}
