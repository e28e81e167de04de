package io.leeway.benchmarks.lazytables;

import java.util.Arrays;

/**
 * What a worker's process had used at the end of a pass; differences between two of them are of use.
 *
 * @param nanos of the clock on the wall, from any beginning
 * @param cpuNanos of all threads of the process
 * @param serverCpuNanos of all servers together, if this process looks at them, else 0
 * @param bytesOut sent, with headers
 * @param bytesIn received, with headers
 * @param waits reads that waited for a server
 * @param waitNanos how long they did
 * @param workerNanos of the process's CPU time, that of the threads that run the application, if it is seen
 * @param networkNanos of the process's CPU time, that of its threads for the network, if it is seen
 * @param serverNanos of the servers' CPU time, that of their threads for the network, which do all that is done in a clock, if it is seen
 * @param compilerNanos of the CPU time, servers' too, that of compilers, if it is seen
 */
record Mark(
        long nanos,
        long cpuNanos,
        long serverCpuNanos,
        long bytesOut,
        long bytesIn,
        long waits,
        long waitNanos,
        long workerNanos,
        long networkNanos,
        long serverNanos,
        long compilerNanos) {

    private static final String KIND = "mark ";
    private static final int FIELDS = 11;

    static boolean isOne(String line) {
        return line.startsWith(KIND);
    }

    static Mark parse(String line) {
        long[] of = Arrays.stream(line.substring(KIND.length()).split(" "))
                .mapToLong(Long::parseLong)
                .toArray();
        if (of.length != FIELDS) {
            throw new IllegalArgumentException("no mark: " + line);
        }
        return new Mark(of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7], of[8], of[9], of[10]);
    }

    String text() {
        return KIND + nanos + " " + cpuNanos + " " + serverCpuNanos + " " + bytesOut + " " + bytesIn + " " + waits + " "
                + waitNanos + " " + workerNanos + " " + networkNanos + " " + serverNanos + " " + compilerNanos;
    }
}
