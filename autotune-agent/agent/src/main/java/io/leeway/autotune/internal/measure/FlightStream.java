package io.leeway.autotune.internal.measure;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/**
 * A few of the flight recorder's events, streamed: what a service waits for is seen here before it is seen in its CPU
 * time. Sums since the start, in milliseconds; loads as they are. The recorder writes to a repository of its own in the
 * temporary directory, which it removes at the end.
 */
final class FlightStream implements AutoCloseable {

    /** Shorter waits are everyday business and would cost more than they say. */
    private static final Duration LONG = Duration.ofMillis(10);

    private final Map<String, DoubleAdder> sums = new ConcurrentHashMap<>();
    private volatile double processCpu;
    private volatile double machineCpu;
    private final RecordingStream stream;

    /**
     * Starts it.
     *
     * @throws RuntimeException or a LinkageError if this JVM has no flight recorder
     */
    FlightStream() {
        this.stream = new RecordingStream();
        stream.setMaxSize(10_000_000);
        stream.enable("jdk.CPULoad").withPeriod(Duration.ofSeconds(1));
        stream.onEvent("jdk.CPULoad", event -> {
            processCpu = event.getFloat("jvmUser") + event.getFloat("jvmSystem");
            machineCpu = event.getFloat("machineTotal");
        });
        sum("jdk.GCPhasePause", "jfr.gc-pause-ms", Duration.ZERO);
        sum("jdk.JavaMonitorEnter", "jfr.lock-wait-ms", LONG);
        sum("jdk.ThreadPark", "jfr.park-ms", LONG);
        sum("jdk.SocketRead", "jfr.socket-read-ms", LONG);
        sum("jdk.FileWrite", "jfr.file-write-ms", LONG);
        sum("jdk.FileForce", "jfr.file-force-ms", LONG);
        stream.startAsync();
    }

    private void sum(String event, String name, Duration longerThan) {
        var adder = new DoubleAdder();
        sums.put(name, adder);
        stream.enable(event).withThreshold(longerThan).withoutStackTrace();
        stream.onEvent(event, happened -> adder.add(millis(happened)));
        stream.setReuse(true);
    }

    private static double millis(RecordedEvent event) {
        return event.getDuration().toNanos() / 1e6;
    }

    Map<String, Double> read() {
        var values = new TreeMap<String, Double>();
        sums.forEach((name, sum) -> values.put(name, sum.sum()));
        values.put("jfr.process-cpu", processCpu);
        values.put("jfr.machine-cpu", machineCpu);
        return values;
    }

    @Override
    public void close() {
        stream.close();
    }
}
