package io.leeway.netsim.internal.transport;

import io.leeway.netsim.internal.net.Fabric;
import io.leeway.netsim.internal.sim.Rng;
import java.util.BitSet;

/**
 * Aeolus on ExpressPass: what fits into the first round trip is sent at the rate of the link without leave, and switches
 * drop it as soon as others wait; everything after that, and what was dropped, is sent for credits.
 *
 * <p>The receiver sends credits, and learns from those that switches drop how many fit. A credit that meets a sender which
 * has nothing to send is lost for all. Constants are the published ones.
 */
final class CreditFlow extends StreamFlow {

    private static final int CREDIT_BYTES = 84;
    private static final int CYCLE_BYTES = 84 + 1538;
    private static final double FIRST_SHARE = 0.5;
    private static final double TARGET_LOSS = 0.125;
    private static final double LEAST_STEP = 0.01;
    private static final double MOST_STEP = 0.5;
    private static final int DUPLICATES = 3;
    /** Credits in a row without anything to send after which the sender asks for none. */
    private static final int WASTED_BEFORE_STOP = 64;

    private static final int CREDIT = 2;
    private static final int REQUEST = 3;
    private static final int REQUEST_NUMBER = -1;
    private static final int STOP_NUMBER = -2;

    private final long roundTrip;
    private final Rng rng;

    // The sender.
    private final BitSet resend = new BitSet();
    private final BitSet resent = new BitSet();
    private int next;
    private int highest = -1;
    private int scanned;
    private int unscheduledLeft;
    private long progressAt;
    private int wasted;
    private boolean stopped;

    // The receiver.
    private boolean crediting;
    private double share = FIRST_SHARE;
    private double step = 1.0 / 16;
    private boolean grew;
    private int creditsSent;
    private int lastCredit = -1;
    private int creditsUsed;
    private int creditsLost;
    private long updateAt;
    /** The first credit that was sent at the present rate: what earlier ones met says nothing of it. */
    private int firstOfRate;

    CreditFlow(Fabric fabric, Ends ends, Batch batch) {
        super(fabric, ends, batch);
        roundTrip = fabric.baseRoundTrip(from, to);
        unscheduledLeft = (int) Math.ceil((double) roundTrip / fabric.transmission(PAYLOAD + HEADER));
        rng = Rng.of(id, 77);
    }

    @Override
    void begin() {
        produce();
        request();
        sendWithoutLeave();
    }

    private void request() {
        control(REQUEST_NUMBER);
        progressAt = fabric.now();
        fabric.timer(fabric.now() + Math.max(200_000_000L, 3 * roundTrip), id, REQUEST);
    }

    private void control(int number) {
        int packet = fabric.packets().make(id, to, ACK_BYTES, 0);
        fabric.packets().data(packet, number, 0, fabric.now(), false);
        fabric.send(from, packet);
    }

    private void sendWithoutLeave() {
        while (unscheduledLeft > 0 && canCut() && fabric.now() - startedAt() <= roundTrip) {
            cutOne();
            int packet = make(next, 0, false);
            fabric.packets().unscheduled(packet);
            fabric.send(from, packet);
            next++;
            unscheduledLeft--;
        }
    }

    @Override
    public void timer(int tag) {
        if (isOver()) {
            return;
        }
        switch (tag) {
            case PRODUCED -> {
                produce();
                sendWithoutLeave();
                if (stopped) {
                    stopped = false;
                    request();
                }
            }
            case CREDIT -> grant();
            default -> {
                // Neither credits nor acknowledgements have come: the request may be lost.
                if (!stopped && below < cut() && fabric.now() - progressAt > 2 * roundTrip) {
                    request();
                } else if (!stopped) {
                    fabric.timer(fabric.now() + Math.max(200_000_000L, 3 * roundTrip), id, REQUEST);
                }
            }
        }
    }

    @Override
    public void arrived(int packet) {
        if (isOver()) {
            return;
        }
        if (fabric.packets().isAck(packet)) {
            onAck(packet);
        } else if (fabric.packets().isCredit(packet)) {
            onCredit(fabric.packets().number(packet));
        } else {
            onData(packet);
        }
    }

    private void onAck(int packet) {
        int sequence = fabric.packets().extra(packet);
        note(sequence);
        int cumulative = fabric.packets().number(packet);
        while (below < cumulative) {
            note(below);
            below++;
        }
        below = acked.nextClearBit(below);
        highest = Math.max(highest, sequence);
        progressAt = fabric.now();
        if (isEnoughAcknowledged()) {
            over();
            return;
        }
        int last = Math.min(highest - DUPLICATES, cut() - 1);
        for (int i = Math.max(scanned, below); i <= last; i++) {
            if (!acked.get(i) && !resent.get(i)) {
                resend.set(i);
            }
        }
        scanned = Math.max(scanned, last + 1);
    }

    private void note(int sequence) {
        acked.set(sequence);
        resend.clear(sequence);
    }

    private void onCredit(int number) {
        int sequence = resend.nextSetBit(0);
        if (sequence < 0 && next == cut() && canCut()) {
            cutOne();
        }
        if (sequence < 0 && next < cut()) {
            sequence = next++;
        }
        if (sequence < 0 && below < cut() && fabric.now() - progressAt > 2 * roundTrip) {
            // Nothing new, and no news of what is on its way: it is taken for lost.
            resend.set(below, cut());
            resend.andNot(acked);
            progressAt = fabric.now();
            sequence = resend.nextSetBit(0);
        }
        if (sequence < 0) {
            wasted++;
            if (wasted >= WASTED_BEFORE_STOP && below == cut()) {
                stopped = true;
                control(STOP_NUMBER);
            }
            return;
        }
        wasted = 0;
        resend.clear(sequence);
        resent.set(sequence);
        fabric.send(from, make(sequence, number + 1L, false));
    }

    private void onData(int packet) {
        int number = fabric.packets().number(packet);
        if (number == STOP_NUMBER) {
            crediting = false;
            return;
        }
        if (number == REQUEST_NUMBER) {
            if (!crediting && !isComplete()) {
                crediting = true;
                updateAt = fabric.now() + roundTrip;
                grant();
            }
            return;
        }
        int credit = fabric.packets().extra(packet) - 1;
        if (credit > lastCredit) {
            if (credit >= firstOfRate) {
                creditsLost += credit - Math.max(lastCredit, firstOfRate - 1) - 1;
                creditsUsed++;
            }
            lastCredit = credit;
        }
        receive(packet);
    }

    private void grant() {
        if (!crediting || isComplete()) {
            crediting = false;
            return;
        }
        if (fabric.now() >= updateAt) {
            adapt();
        }
        int packet = fabric.packets().make(id, from, CREDIT_BYTES, 0);
        fabric.packets().credit(packet, creditsSent++, fabric.now());
        fabric.send(to, packet);
        // Spread, so that no flow always finds the place that another leaves.
        double gap = fabric.transmission(CYCLE_BYTES) / share * (0.9 + 0.2 * rng.nextDouble());
        fabric.timer(fabric.now() + (long) gap, id, CREDIT);
    }

    private void adapt() {
        // One for credits of this rate to come back at all, and one to see what became of a round trip's worth of them.
        updateAt = fabric.now() + 2 * roundTrip;
        int known = creditsLost + creditsUsed;
        if (known == 0) {
            return;
        }
        double loss = (double) creditsLost / known;
        if (loss <= TARGET_LOSS) {
            step = grew ? (step + MOST_STEP) / 2 : step;
            share = Math.min(1, (1 - step) * share + step * (1 + TARGET_LOSS));
            grew = true;
        } else {
            share = share * (1 - loss) * (1 + TARGET_LOSS);
            step = Math.max(step / 2, LEAST_STEP);
            grew = false;
        }
        // At least one credit a round trip, or a flow would starve.
        share = Math.max(share, (double) fabric.transmission(CYCLE_BYTES) / roundTrip);
        share = Math.min(1, share);
        creditsLost = 0;
        creditsUsed = 0;
        firstOfRate = creditsSent;
    }
}
