package io.leeway.netsim.internal.transport;

import io.leeway.netsim.internal.net.Fabric;
import java.util.BitSet;

/**
 * A reliable stream whose sender keeps a window of packets on the way: TCP, DCTCP and pFabric, which differ in their
 * {@link WindowLaw}.
 *
 * <p>Each packet is acknowledged with what has come in order and with its own number, so that gaps are seen after three
 * later packets; what is lost twice waits for the time-out.
 */
final class WindowFlow extends StreamFlow {

    private static final double GAIN = 1.0 / 16;
    private static final int DUPLICATES = 3;
    /** What a receiver has room for: about 1.5 MB. */
    private static final int LARGEST_WINDOW = 1_000;

    private static final int TIMEOUT = 0;

    private final WindowLaw law;
    private final long minTimeout;

    // The sender.
    private final BitSet resend = new BitSet();
    private final BitSet resent = new BitSet();
    private int next;
    private int inFlight;
    private int highest = -1;
    private int scanned;
    private double window;
    private double threshold = Double.MAX_VALUE;
    private int recoverUntil;
    private double smoothedRtt;
    private double rttDeviation;
    private long timeoutAt = Long.MAX_VALUE;
    private boolean timerSet;
    private int backoff;

    // DCTCP.
    private double markedShare = 1;
    private int windowAcks;
    private int windowMarks;
    private int windowEnd;

    WindowFlow(Fabric fabric, Ends ends, Batch batch, WindowLaw law) {
        super(fabric, ends, batch);
        this.law = law;
        long roundTrip = fabric.baseRoundTrip(from, to);
        window = law.windowFor((double) roundTrip / fabric.transmission(PAYLOAD + HEADER));
        minTimeout = law.timeoutFor(roundTrip);
    }

    @Override
    void begin() {
        produce();
        push();
    }

    @Override
    public void arrived(int packet) {
        if (fabric.packets().isAck(packet)) {
            onAck(packet);
        } else {
            receive(packet);
        }
    }

    private void onAck(int packet) {
        if (isOver()) {
            return;
        }
        int cumulative = fabric.packets().number(packet);
        int sequence = fabric.packets().extra(packet);
        boolean marked = fabric.packets().isMarked(packet);
        measureRtt(fabric.now() - fabric.packets().stamp(packet));
        boolean fresh = !acked.get(sequence);
        note(sequence);
        while (below < cumulative) {
            note(below);
            below++;
        }
        below = acked.nextClearBit(below);
        highest = Math.max(highest, sequence);
        if (isEnoughAcknowledged()) {
            timeoutAt = Long.MAX_VALUE;
            over();
            return;
        }
        if (fresh) {
            backoff = 0;
            grow();
        }
        if (law.marks()) {
            countMarks(marked);
        }
        if (law.adapts()) {
            findLost();
        }
        setTimeout();
        push();
    }

    private void note(int sequence) {
        if (!acked.get(sequence)) {
            acked.set(sequence);
            if (resend.get(sequence)) {
                resend.clear(sequence);
            } else if (sequence < next) {
                inFlight--;
            }
        }
    }

    private void measureRtt(long sample) {
        if (smoothedRtt == 0) {
            smoothedRtt = sample;
            rttDeviation = sample / 2.0;
        } else {
            rttDeviation += (Math.abs(sample - smoothedRtt) - rttDeviation) / 4;
            smoothedRtt += (sample - smoothedRtt) / 8;
        }
    }

    private void grow() {
        if (law.adapts()) {
            window = Math.min(LARGEST_WINDOW, window + (window < threshold ? 1 : 1 / window));
        }
    }

    private void countMarks(boolean marked) {
        windowAcks++;
        if (marked) {
            windowMarks++;
            threshold = Math.min(threshold, window);
        }
        if (below >= windowEnd) {
            markedShare += GAIN * ((double) windowMarks / windowAcks - markedShare);
            if (windowMarks > 0) {
                window = Math.max(1, window * (1 - markedShare / 2));
                threshold = window;
            }
            windowAcks = 0;
            windowMarks = 0;
            windowEnd = next;
        }
    }

    /**
     * A packet is lost when three that were sent after it have come. What was sent again is left to the time-out, and where
     * packets are sprayed and pass each other, as in pFabric, everything is.
     */
    private void findLost() {
        int last = Math.min(highest - DUPLICATES, next - 1);
        boolean lost = false;
        for (int i = Math.max(scanned, below); i <= last; i++) {
            if (!acked.get(i) && !resend.get(i) && !resent.get(i)) {
                resend.set(i);
                inFlight--;
                lost = true;
            }
        }
        scanned = Math.max(scanned, last + 1);
        if (lost && below >= recoverUntil) {
            window = Math.max(2, window / 2);
            threshold = window;
            recoverUntil = next;
        }
    }

    private void push() {
        while (inFlight < Math.max(1, (int) window)) {
            int again = resend.nextSetBit(0);
            if (again >= 0) {
                resend.clear(again);
                resent.set(again);
                transmit(again);
                continue;
            }
            next = acked.nextClearBit(next);
            if (next >= cut()) {
                next = cut();
                if (!canCut()) {
                    break;
                }
                cutOne();
            }
            transmit(next);
            next++;
        }
        if (timeoutAt == Long.MAX_VALUE && below < cut()) {
            setTimeout();
        }
    }

    private void transmit(int sequence) {
        inFlight++;
        fabric.send(from, make(sequence, remainingPackets(), law.marks()));
    }

    private void setTimeout() {
        double estimate = smoothedRtt + 4 * rttDeviation;
        long delay = law.adapts() ? (long) Math.max((double) minTimeout, estimate) : minTimeout;
        timeoutAt = fabric.now() + (delay << Math.min(backoff, 8));
        if (!timerSet) {
            timerSet = true;
            fabric.timer(timeoutAt, id, TIMEOUT);
        }
    }

    @Override
    public void timer(int tag) {
        if (tag == PRODUCED) {
            if (!isOver()) {
                produce();
                push();
            }
            return;
        }
        timerSet = false;
        if (isOver()) {
            return;
        }
        if (fabric.now() < timeoutAt) {
            if (timeoutAt != Long.MAX_VALUE) {
                timerSet = true;
                fabric.timer(timeoutAt, id, TIMEOUT);
            }
            return;
        }
        if (below == cut()) {
            // Nothing is on its way: the next message is not there yet.
            timeoutAt = Long.MAX_VALUE;
            return;
        }
        if (law.adapts()) {
            backoff++;
            threshold = Math.max(2, window / 2);
            window = 1;
        } else {
            backoff = Math.min(backoff + 1, 3);
        }
        // Everything that was not acknowledged is sent again, in order.
        resend.clear();
        resent.clear();
        inFlight = 0;
        next = below;
        scanned = below;
        highest = -1;
        recoverUntil = below;
        windowEnd = Math.min(windowEnd, below);
        setTimeout();
        push();
    }
}
