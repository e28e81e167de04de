package io.leeway.approx.atp;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one group at the sender, and which of them is sent next.
 *
 * <p>With {@link AtpConfig.Selection#UNBIASED} a message is <em>committed</em> if its rank is below a threshold: exactly
 * that of the {@code need}-th lowest if the group's size is known, else the MSR. What is committed is sent until it
 * arrives. The rest waits in a reserve, lowest rank first, from which the commit set is topped up when the group ends with
 * fewer than it needs; what the reserve has no use for is let go. So the sample is a simple random one of its size.
 *
 * <p>Invariant: the reserve holds at least as many messages as the promise lacks so far. It holds since a message that is
 * not committed raises the lack by at most one and joins the reserve.
 */
final class SendGroup<M> {

    private static final int LEAST_RESERVE = 64;

    final SendJob<M> job;
    final GroupSpec spec;
    final QueueChoice queue;
    final Consumer<Message<M>> release;
    final boolean sampled;
    final AtpConfig config;

    private final PriorityQueue<Message<M>> fresh;
    private final PriorityQueue<Message<M>> lost;
    private final PriorityQueue<Message<M>> reserve = new PriorityQueue<>(
            Comparator.comparingDouble((Message<M> message) -> message.rank).reversed());
    /** All that is neither delivered nor let go, whichever queue it waits in, if any. */
    private final Set<Message<M>> live = new HashSet<>();

    private double msr;
    private double threshold;
    private boolean letGo;

    boolean ended;
    long seen;
    long bytesOffered;
    double squares;
    long committed;
    long delivered;
    long committedDelivered;
    long bytesDelivered;
    long sentOnce;
    long inFlight;
    long presumedLost;
    long everLost;
    long resent;

    /** What it has had of the flow, in bytes by weight; the group that has had least goes next. */
    double pass;

    SendGroup(SendJob<M> job, GroupSpec spec, AtpConfig config, Consumer<Message<M>> release) {
        this.job = job;
        this.spec = spec;
        this.config = config;
        this.release = release;
        msr = spec.msr();
        queue = new QueueChoice(msr, config);
        sampled = config.selection() == AtpConfig.Selection.UNBIASED && msr < 1;
        threshold = threshold();
        // A promise of order is served in order.
        Comparator<Message<M>> order = Comparator.comparingLong(message -> message.arrival);
        if (config.minimalRemainingFirst() && msr < 1) {
            order = Comparator.comparingInt((Message<M> message) -> message.remaining)
                    .thenComparing(order);
        }
        fresh = new PriorityQueue<>(order);
        lost = new PriorityQueue<>(order);
    }

    private double threshold() {
        return spec.exact() && sampled
                ? Ranks.threshold(
                        config.seed(), job.id, spec.id(), spec.expected(), GroupSpec.need(msr, spec.expected()))
                : msr;
    }

    double msr() {
        return msr;
    }

    boolean ordered() {
        return spec.msr() == 1;
    }

    /** Changes the promise; false if it was to be raised after messages have been let go that it would need. */
    boolean msr(double value) {
        if (value > msr && (letGo || satisfied()) || ordered() || value == 1) {
            return value == msr;
        }
        msr = value;
        threshold = threshold();
        if (sampled) {
            commitBelow(threshold);
        }
        return true;
    }

    /** The best knowledge of its size. */
    double size() {
        return ended ? seen : Math.max(spec.expected(), seen);
    }

    long need() {
        return GroupSpec.need(msr, ended || !spec.exact() ? seen : spec.expected());
    }

    /** Whether the promise is kept. A sample is complete when all of it arrived: stopping earlier would favour small messages. */
    boolean satisfied() {
        if (sampled) {
            return ended && committedDelivered >= committed;
        }
        return (ended || spec.exact()) && delivered >= need();
    }

    double target() {
        if (config.fixedTarget()) {
            return Math.min(config.targetCap(), 1 - msr);
        }
        return Math.min(config.targetCap(), TargetLoss.of(size(), msr, (double) spentSlack(), (double) delivered));
    }

    double slack() {
        return TargetLoss.slack(size(), msr, (double) spentSlack());
    }

    double undelivered() {
        return Math.max(0, size() - delivered);
    }

    private long spentSlack() {
        return config.lossCount() == AtpConfig.LossCount.EVER_LOST ? everLost : presumedLost;
    }

    /** Takes a message in; it is sent, kept in reserve or let go. */
    void add(Message<M> message) {
        seen++;
        bytesOffered += message.size;
        squares += (double) message.size * message.size;
        live.add(message);
        if (satisfied()) {
            drop(message);
        } else if (!sampled || message.rank < threshold) {
            commit(message);
        } else {
            reserve.add(message);
            shrinkReserve();
        }
    }

    private void commit(Message<M> message) {
        message.committed = true;
        committed++;
        fresh.add(message);
    }

    private void shrinkReserve() {
        long lack = Math.max(0, need() - committed);
        long spread = (long) (6 * Math.sqrt(seen * msr * (1 - msr)));
        long keep = Math.max(lack, Math.max(LEAST_RESERVE, spread));
        while (reserve.size() > keep) {
            drop(reserve.remove());
            letGo = true;
        }
    }

    private void commitBelow(double rank) {
        List<Message<M>> waiting = new ArrayList<>(reserve);
        reserve.clear();
        for (Message<M> message : waiting) {
            if (message.rank < rank) {
                commit(message);
            } else {
                reserve.add(message);
            }
        }
    }

    /** No message comes after this: the size is exact, and so is the promise. */
    void end() {
        if (ended) {
            return;
        }
        ended = true;
        topUp();
        settle();
    }

    private void topUp() {
        if (!sampled) {
            return;
        }
        List<Message<M>> waiting = new ArrayList<>(reserve);
        waiting.sort(Comparator.comparingDouble(message -> message.rank));
        reserve.clear();
        for (Message<M> message : waiting) {
            if (committed < need()) {
                commit(message);
            } else {
                drop(message);
            }
        }
    }

    /** Lets everything go that has not arrived, if the promise is kept. */
    void settle() {
        if (satisfied()) {
            abandon();
        }
    }

    /** Lets everything go that has not arrived. */
    void abandon() {
        List.copyOf(live).forEach(this::drop);
        fresh.clear();
        lost.clear();
        reserve.clear();
    }

    private void drop(Message<M> message) {
        if (!message.done) {
            if (message.inFlight()) {
                inFlight--;
            }
            if (message.presumedLost()) {
                presumedLost--;
            }
            done(message);
        }
    }

    private void done(Message<M> message) {
        message.done = true;
        live.remove(message);
        release.accept(message);
    }

    /** The message to send from next, or null. Never-sent ones go first: else losses would be refunded, and the target drift up. */
    @Nullable
    Message<M> next() {
        Message<M> best = head(fresh);
        Message<M> again = head(lost);
        if (again == null) {
            return best;
        }
        if (best == null) {
            return sampled || ordered() || need() - delivered - inFlight > 0 ? again : null;
        }
        // Order is promised, or the promise cannot be kept any more by messages that were never sent.
        boolean mustResend = ordered() || !sampled && need() - delivered > fresh.size() + (size() - seen);
        return mustResend ? again : best;
    }

    private @Nullable Message<M> head(PriorityQueue<Message<M>> queue) {
        Message<M> head = queue.peek();
        while (head != null && (head.done || queue == lost && !head.presumedLost())) {
            queue.remove();
            if (queue == lost) {
                head.queuedAsLost = false;
            }
            head = queue.peek();
        }
        return head;
    }

    /** Takes the next part of a message that {@link #next} gave: it is on its way now. */
    int take(Message<M> message) {
        int part;
        if (message.fresh()) {
            part = message.sentParts++;
            if (part == 0) {
                sentOnce++;
            }
            if (!message.fresh()) {
                fresh.remove(message);
                if (message.presumedLost()) {
                    queueAsLost(message);
                }
            }
        } else {
            part = message.takeLost();
            resent++;
            if (!message.presumedLost()) {
                presumedLost--;
            }
        }
        if (message.inFlight()) {
            inFlight++;
        }
        return part;
    }

    void acked(Message<M> message, int part, int bytes) {
        boolean wasInFlight = message.inFlight();
        boolean wasLost = message.presumedLost();
        if (!message.ack(part, bytes)) {
            return;
        }
        if (wasLost && !message.presumedLost()) {
            presumedLost--;
        }
        if (message.ackedParts == message.parts) {
            if (wasInFlight) {
                inFlight--;
            }
            delivered++;
            bytesDelivered += message.size;
            committedDelivered += message.committed ? 1 : 0;
            done(message);
            settle();
        } else if (!wasInFlight && message.inFlight()) {
            inFlight++;
        }
    }

    void presumeLost(Message<M> message, int part) {
        boolean wasInFlight = message.inFlight();
        boolean wasLost = message.presumedLost();
        if (!message.lose(part)) {
            return;
        }
        if (wasInFlight) {
            inFlight--;
        }
        if (!wasLost) {
            presumedLost++;
        }
        if (!message.everLost) {
            message.everLost = true;
            everLost++;
        }
        if (!message.fresh()) {
            queueAsLost(message);
        }
    }

    private void queueAsLost(Message<M> message) {
        if (!message.queuedAsLost) {
            message.queuedAsLost = true;
            lost.add(message);
        }
    }

    Control.Totals totals() {
        return new Control.Totals(
                spec.id(), msr, seen, bytesOffered, squares, sentOnce, resent, delivered >= GroupSpec.need(msr, seen));
    }

    JobReport.Group report() {
        return new JobReport.Group(
                spec.id(), msr, seen, delivered, bytesOffered, bytesDelivered, sentOnce, resent, 0, List.of());
    }
}
