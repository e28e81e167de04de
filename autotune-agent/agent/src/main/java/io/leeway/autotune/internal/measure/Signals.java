package io.leeway.autotune.internal.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is seen beside requests, by name: the JVM, its control groups, pressure, and the flight recorder's
 * stream if it is asked for. Read when somebody looks, not all the time. Thread-safe.
 */
public final class Signals {

    private final Cgroups groups = new Cgroups(Path.of("/proc"));
    private @Nullable FlightStream flight;

    /** Begins with the flight recorder's stream; without one in this JVM the rest is there all the same. */
    public synchronized void startFlightRecorder(Consumer<String> log) {
        try {
            flight = new FlightStream();
        } catch (RuntimeException | LinkageError e) {
            log.accept("no flight recorder in this JVM: " + e);
        }
    }

    /** Now, in the order of names. */
    public synchronized Map<String, Double> read() {
        var values = new TreeMap<String, Double>();
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        values.put("jvm.heap.used", (double) heap.getUsed());
        values.put("jvm.heap.committed", (double) heap.getCommitted());
        values.put("jvm.heap.max", (double) heap.getMax());
        values.put("jvm.threads", (double) ManagementFactory.getThreadMXBean().getThreadCount());
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        if (system != null) {
            values.put("jvm.processors", (double) system.getAvailableProcessors());
            values.put("jvm.cpu-ms", system.getProcessCpuTime() / 1e6);
        }
        values.putAll(groups.read());
        FlightStream running = flight;
        if (running != null) {
            values.putAll(running.read());
        }
        return values;
    }
}
