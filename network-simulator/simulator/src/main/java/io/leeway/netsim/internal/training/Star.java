package io.leeway.netsim.internal.training;

import io.leeway.netsim.internal.sim.EventQueue;
import java.util.ArrayList;
import java.util.List;

/**
 * Hosts on one switch that does not block: each has a link to it and one from it, both first come, first served, without
 * loss. What is sent is cut into segments; the switch forwards a segment when it has all of it. Not thread-safe.
 */
final class Star {

    private static final int CALL = 0;
    private static final double PICOS = 1e12;
    /** Some 50 days: what comes later leaves the range of times. */
    private static final double LAST = Long.MAX_VALUE / 2.0;

    private final EventQueue events = new EventQueue();
    private final List<Runnable> calls = new ArrayList<>();
    private final List<Integer> freeCalls = new ArrayList<>();
    private final long[] upFree;
    private final long[] downFree;
    private final double picosPerBit;
    private final long latency;
    private final long segment;
    private long bitsUp;
    private long bitsDown;

    /** Something that waits for the last of several. */
    interface Arrival {
        void at(int host);
    }

    Star(int hosts, double rate, double latencySeconds, long segment) {
        upFree = new long[hosts];
        downFree = new long[hosts];
        picosPerBit = PICOS / rate;
        latency = Math.round(latencySeconds * PICOS);
        this.segment = segment;
    }

    double seconds() {
        return events.now() / PICOS;
    }

    long events() {
        return events.handled();
    }

    /** Bits that hosts sent and received so far. */
    long bitsUp() {
        return bitsUp;
    }

    long bitsDown() {
        return bitsDown;
    }

    void after(double seconds, Runnable call) {
        at(later(events.now(), seconds * PICOS), call);
    }

    private static long later(long time, double picos) {
        if (time + picos > LAST) {
            throw new IllegalArgumentException(
                    "an iteration takes longer than 50 days; take a higher rate, or a smaller or faster model");
        }
        return time + Math.round(picos);
    }

    private void at(long time, Runnable call) {
        int slot;
        if (freeCalls.isEmpty()) {
            slot = calls.size();
            calls.add(call);
        } else {
            slot = freeCalls.remove(freeCalls.size() - 1);
            calls.set(slot, call);
        }
        events.add(time, CALL, 0, slot);
    }

    void run() {
        while (events.poll()) {
            int slot = events.b();
            Runnable call = calls.get(slot);
            freeCalls.add(slot);
            call.run();
        }
    }

    private int segments(long bits) {
        return (int) Math.max(1, (bits + segment - 1) / segment);
    }

    private long lengthOf(int index, long bits) {
        int count = segments(bits);
        return index < count - 1 ? segment : bits - segment * (count - 1L);
    }

    /** From one host to some others; {@code arrived} is called for each of them when it has all. The copies are the switch's. */
    void send(int from, int[] to, long bits, Arrival arrived) {
        up(from, bits, (index, last) -> down(to, lengthOf(index, bits), last ? arrived : null));
    }

    private interface AtSwitch {
        void segment(int index, boolean last);
    }

    /** From a host to the switch only. */
    void toSwitch(int from, long bits, SwitchArrival arrived) {
        up(from, bits, (index, last) -> arrived.at(index, lengthOf(index, bits), last));
    }

    /** A segment has come to the switch. */
    interface SwitchArrival {
        void at(int index, long length, boolean last);
    }

    private void up(int from, long bits, AtSwitch atSwitch) {
        int count = segments(bits);
        long time = Math.max(upFree[from], events.now());
        for (int i = 0; i < count; i++) {
            time = later(time, lengthOf(i, bits) * picosPerBit);
            int index = i;
            at(time + latency, () -> atSwitch.segment(index, index == count - 1));
        }
        bitsUp += bits;
        upFree[from] = time;
    }

    /** What is in the switch, to some hosts. */
    void down(int[] to, long bits, @org.jspecify.annotations.Nullable Arrival arrived) {
        for (int host : to) {
            long done = later(Math.max(downFree[host], events.now()), bits * picosPerBit);
            downFree[host] = done;
            bitsDown += bits;
            if (arrived != null) {
                at(done + latency, () -> arrived.at(host));
            }
        }
    }
}
