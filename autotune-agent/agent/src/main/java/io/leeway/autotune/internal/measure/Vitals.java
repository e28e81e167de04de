package io.leeway.autotune.internal.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/** What the JVM says about itself, from its MXBeans; the MBean server, which hosts like to set up themselves, is not touched. */
public final class Vitals {

    /**
     * At one moment.
     *
     * @param cpuMillis of the process since its start
     * @param heapShare of the maximum heap in use after the last collection; 0 if unknown
     * @param gcMillis in collections since the start
     */
    public record Reading(double cpuMillis, double heapShare, double gcMillis) {}

    /** Now. */
    public Reading read() {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        double gc = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            gc += Math.max(0, collector.getCollectionTime());
        }
        return new Reading(system == null ? 0 : system.getProcessCpuTime() / 1e6, heapShare(), gc);
    }

    private static double heapShare() {
        long used = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage after = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
            used += after == null ? 0 : after.getUsed();
        }
        return Math.min(1, (double) used / Runtime.getRuntime().maxMemory());
    }
}
