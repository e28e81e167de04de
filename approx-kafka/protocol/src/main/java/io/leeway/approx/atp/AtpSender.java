package io.leeway.approx.atp;

import io.leeway.approx.atp.SentPackets.Sent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a flow: decides which packet leaves when and in which queue, and when a job is complete.
 *
 * <p>Model: one rate for the flow; each epoch it is moved so that the measured loss nears the loss that the open jobs can
 * still afford (NetApprox §"rate control"). One queue for each group, by its own slack. Invariant: a job is reported as
 * finished before its deadline only when each of its groups has what it was promised. Cost: a packet O(log n) in the
 * messages of its group and O(g) in open groups.
 *
 * <p>Not thread-safe; see the package for how it is driven.
 *
 * @param <M> what a message is to the driver
 */
public final class AtpSender<M> {

    /** What the sender asks of its driver. Called from within its methods; must not call back. */
    public interface Output<M> {

        /** Put a packet into the network. */
        void transmit(Packet<M> packet, int queue);

        /** Carry a message reliably and in order. */
        void control(Control message);

        /** Call {@link AtpSender#onTimer} at this time; replaces the time given before. */
        void wakeAt(long time);

        /** A job is complete, or its deadline has passed. */
        void finished(JobReport report);

        /** A message will not be sent again: its memory may be used. */
        void released(@Nullable M message);
    }

    /** What {@link #offer} did. */
    public enum Offer {
        /** The message is part of its group. */
        TAKEN,
        /** There is no room; nothing has happened, and the same message may be offered again when others have left. */
        FULL
    }

    private static final int SILENT_EPOCHS = 4;
    /** After so many epochs without a loss a few packets leave at once: each wake-up costs the CPU of many records. */
    private static final int CALM = 32;

    private static final int CALM_BURST = 4;

    private final AtpConfig config;
    private final Output<M> output;
    private final SentPackets<M> sent;
    private final RateControl rate;
    private final RoundTrip rtt;
    private final Map<Integer, SendJob<M>> jobs = new LinkedHashMap<>();
    private int lastJob;
    private long buffered;
    private long credit = Long.MAX_VALUE;
    private long drops;
    private long unseenDrops;
    private long nextSend;
    private long epochEnd = Long.MAX_VALUE;
    private long sentInEpoch;
    private long heardAt;
    private int silentEpochs;
    private boolean heard;
    private double lastLoss;
    private double smoothedLoss;
    private long packetsSent;
    private long packetsLost;
    private boolean lossless;
    /** The first packet that was sent after the rate's pause was noticed. */
    private long pausedAt;

    /** Epochs since a packet was lost. */
    private int calmEpochs;

    private double targetCap = 1;

    /** A sender that has sent nothing yet. */
    public AtpSender(AtpConfig config, Output<M> output) {
        this.config = config;
        this.output = output;
        sent = new SentPackets<>(config.window(), config.queues());
        rate = new RateControl(config);
        rtt = new RoundTrip(config.initialRtt(), config.rateLaw() == AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES);
    }

    /** Begins a job. */
    public void open(JobSpec spec) {
        if (spec.id() <= lastJob) {
            throw new IllegalArgumentException("job " + spec.id() + " is not after job " + lastJob);
        }
        lastJob = spec.id();
        SendJob<M> job = new SendJob<>(spec);
        double least = leastPass();
        for (GroupSpec group : spec.groups()) {
            SendGroup<M> made = new SendGroup<>(job, group, config, this::release);
            made.pass = least;
            job.groups.add(made);
        }
        jobs.put(spec.id(), job);
        output.control(new Control.Open(spec.id(), spec.groups()));
    }

    private double leastPass() {
        double least = Double.MAX_VALUE;
        for (SendJob<M> job : jobs.values()) {
            for (SendGroup<M> group : job.groups) {
                least = Math.min(least, group.pass);
            }
        }
        return least == Double.MAX_VALUE ? 0 : least;
    }

    /** Offers a message whose rank follows from its number in the group. */
    public Offer offer(int job, int group, int size, @Nullable M message, long now) {
        return offer(job, group, size, -1, message, now);
    }

    /**
     * Offers a message.
     *
     * @param job an open job that has not ended
     * @param group one of its groups
     * @param size its length in bytes, at least 1
     * @param key what its rank follows from, so that the same message has the same rank in a replay; negative for its number.
     *     In groups whose size is known exactly ranks always follow from the number
     * @param message what it is to the driver
     * @param now the time
     * @throws IllegalArgumentException if there is no such job or group, or the message takes more than 65,535 packets
     */
    public Offer offer(int job, int group, int size, long key, @Nullable M message, long now) {
        SendGroup<M> to = job(job).group(group);
        if (to.ended) {
            throw new IllegalArgumentException("job " + job + " has ended");
        }
        if (to.spec.exact() && to.seen >= to.spec.expected()) {
            throw new IllegalArgumentException("group " + group + " of job " + job + " has all its messages");
        }
        int parts = Math.max(1, (size + config.payload() - 1) / config.payload());
        if (size < 1 || parts > 0xFFFF) {
            throw new IllegalArgumentException(
                    "a message of " + size + " bytes cannot be sent in packets of " + config.payload());
        }
        if (buffered + size > config.bufferBytes() && buffered > 0) {
            return Offer.FULL;
        }
        int id = (int) to.seen;
        double rank = Ranks.rank(config.seed(), job, group, key < 0 || to.spec.exact() ? id : key);
        buffered += size;
        to.add(new Message<>(to, id, size, parts, rank, message));
        run(now);
        return Offer.TAKEN;
    }

    /** Changes a group's promise; false if it was to be raised after messages were let go that it would need. */
    public boolean setMsr(int job, int group, double msr, long now) {
        GroupSpec.open(group, msr, 0);
        boolean honoured = job(job).group(group).msr(msr);
        run(now);
        return honoured;
    }

    /** No message comes after this. Repeating it does nothing. */
    public void end(int job, long now) {
        SendJob<M> ended = jobs.get(job);
        if (ended != null) {
            ended.groups.forEach(SendGroup::end);
            run(now);
        }
    }

    /** Ends a job with what has arrived, as if its deadline had passed. */
    public void abandon(int job, long now) {
        SendJob<M> found = jobs.remove(job);
        if (found != null) {
            finish(found);
            run(now);
        }
    }

    /** An acknowledgement has come. */
    public void onAck(Ack ack, long now) {
        heard = true;
        heardAt = now;
        silentEpochs = 0;
        credit = Math.max(0, ack.credit());
        unseenDrops += Math.max(0, ack.drops() - drops);
        drops = Math.max(drops, ack.drops());
        Sent<M> top = sent.find(ack.top());
        // Also of a packet that was presumed lost: else a round trip that has become longer would never be learnt, and
        // all
        // would be sent again and again. Each transmission has a number of its own, so there is no doubt which one it
        // was.
        if (top != null && !top.acked) {
            rtt.sample(now - top.at - ack.delay());
        }
        for (int back = 0; back < Ack.SPAN; back++) {
            if (ack.has(back)) {
                acked(ack.top() - back, now);
            }
        }
        run(now);
    }

    private void acked(long number, long now) {
        Sent<M> packet = sent.find(number);
        if (packet == null) {
            return;
        }
        sent.acked(packet);
        if (rate.isPaused() && number >= pausedAt) {
            rate.resume();
            // The losses of the pause are told one by one from now on; the rate has answered them already.
            sent.forgive();
            // Not when the pace of the pause would have had it.
            nextSend = Math.min(nextSend, now);
        }
        if (packet.message != null) {
            packet.message.group.acked(packet.message, packet.part, packet.bytes);
        }
    }

    /**
     * The driver carries packets by other means from now on. What was on its way is presumed lost, and sent again.
     *
     * @param loses whether the new means may lose packets; if not, none is presumed lost, and the window alone limits
     *     how much is on its way
     * @param now the time
     */
    public void carrier(boolean loses, long now) {
        lossless = !loses;
        if (lossless) {
            loseOverdue(now, 0);
        }
        run(now);
    }

    /**
     * The highest loss that the rate aims at from now on, whatever the slack, of which the queues go on telling: the driver
     * has learnt what the network is, or what a lost packet costs it.
     */
    public void targetCap(double cap, long now) {
        targetCap = Math.max(0, Math.min(config.targetCap(), cap));
        run(now);
    }

    /** The time asked for has come. */
    public void onTimer(long now) {
        run(now);
    }

    /** Whether a job is neither finished nor abandoned. */
    public boolean isOpen(int job) {
        return jobs.containsKey(job);
    }

    /** What is known of a job now. */
    public JobReport report(int job) {
        return job(job).report();
    }

    /** The numbers of the flow now. */
    public FlowState state() {
        Pool pool = pool();
        return new FlowState(
                rate.rate(),
                lastLoss,
                affordable(pool),
                jobs.isEmpty()
                        ? 0
                        : queue(jobs.values().iterator().next().groups.get(0)),
                (long) rtt.smoothed(),
                packetsSent,
                packetsLost,
                drops,
                buffered,
                jobs.size(),
                heardAt,
                sent.anyUndecided() && silentEpochs >= SILENT_EPOCHS);
    }

    /** The queue that a group sends in now. */
    public int queue(int job, int group) {
        return queue(job(job).group(group));
    }

    /** The loss that a group can still afford. */
    public double target(int job, int group) {
        return job(job).group(group).target();
    }

    private int queue(SendGroup<M> group) {
        return config.fixedPriority() ? TargetLoss.queue(1 - group.spec.msr(), config.queues()) : group.queue.queue();
    }

    private SendJob<M> job(int id) {
        SendJob<M> job = jobs.get(id);
        if (job == null) {
            throw new IllegalArgumentException("job " + id + " is not open");
        }
        return job;
    }

    private void release(Message<M> message) {
        buffered -= message.size;
        output.released(message.payload);
        message.payload = null;
    }

    // What every input ends in.

    private void run(long now) {
        loseOverdue(now, lossDelay());
        if (now >= epochEnd) {
            endEpoch(now);
        }
        finishJobs(now);
        send(now);
        output.wakeAt(wakeTime(now));
    }

    private long lossDelay() {
        return lossless ? Long.MAX_VALUE : rtt.lossDelay(config.minLossDelay());
    }

    private void loseOverdue(long now, long delay) {
        for (Sent<M> packet : sent.takeLost(now, delay)) {
            packetsLost++;
            if (packet.message != null) {
                packet.message.group.presumeLost(packet.message, packet.part);
            }
        }
    }

    private void endEpoch(long now) {
        Pool pool = pool();
        SentPackets.Decided decided = sent.endEpoch();
        boolean busy = sentInEpoch >= rate.rate() * epoch() / 1e9 / 2;
        measure(decided, target(pool), busy);
        for (SendJob<M> job : jobs.values()) {
            for (SendGroup<M> group : job.groups) {
                group.queue.epoch(group.target(), smoothedLoss, rate.isLeast());
            }
        }
        sentInEpoch = 0;
        heard = false;
        epochEnd = sent.anyUndecided() || next() != null ? now + epoch() : Long.MAX_VALUE;
    }

    private void measure(SentPackets.Decided decided, double target, boolean busy) {
        // What the receiver had no room for is not the network's loss.
        long dropped = Math.min(unseenDrops, decided.lost());
        unseenDrops -= dropped;
        long lost = decided.lost() - dropped;
        long total = decided.acked() + lost;
        silentEpochs = heard || !sent.anyUndecided() && total == 0 ? 0 : silentEpochs + 1;
        if (silentEpochs >= SILENT_EPOCHS) {
            lastLoss = 1;
        } else if (total > 0) {
            double packets = (double) lost / total;
            lastLoss = config.lossUnit() == AtpConfig.LossUnit.PACKET
                    ? packets
                    : TargetLoss.ofMessages(packets, decided.partsPerMessage());
        } else {
            return;
        }
        smoothedLoss = (smoothedLoss + lastLoss) / 2;
        calmEpochs = lost == 0 && config.rateLaw() == AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES ? calmEpochs + 1 : 0;
        boolean before = rate.isPaused();
        rate.decided(lastLoss, target, cap(), busy, rtt.smoothed());
        if (!before && rate.isPaused()) {
            pausedAt = sent.next();
        }
    }

    private long epoch() {
        return Math.max(config.minEpoch(), (long) rtt.smoothed());
    }

    private void finishJobs(long now) {
        List<SendJob<M>> over = new ArrayList<>();
        for (SendJob<M> job : jobs.values()) {
            if (job.satisfied() && allEnded(job) || now >= job.deadline) {
                over.add(job);
            }
        }
        for (SendJob<M> job : over) {
            jobs.remove(job.id);
            finish(job);
        }
    }

    private boolean allEnded(SendJob<M> job) {
        for (SendGroup<M> group : job.groups) {
            if (!group.ended) {
                return false;
            }
        }
        return true;
    }

    private void finish(SendJob<M> job) {
        for (SendGroup<M> group : job.groups) {
            group.abandon();
        }
        output.control(job.close());
        output.finished(job.report());
    }

    private void send(long now) {
        while ((lossless || now >= nextSend - burstNanos()) && sent.hasRoom()) {
            SendGroup<M> group = next();
            if (group == null) {
                return;
            }
            startEpoch(now);
            if (credit == 0 || sent.bytesUndecided() > credit) {
                if (!sent.anyUndecided()) {
                    probe(now);
                }
                return;
            }
            transmit(group, now);
        }
    }

    private void startEpoch(long now) {
        if (epochEnd == Long.MAX_VALUE) {
            epochEnd = now + epoch();
        }
    }

    /** The group that has had least of the flow for what it needs, of those that have something to send. */
    private @Nullable SendGroup<M> next() {
        SendGroup<M> best = null;
        for (SendJob<M> job : jobs.values()) {
            for (SendGroup<M> group : job.groups) {
                if ((best == null || group.pass < best.pass) && group.next() != null) {
                    best = group;
                }
            }
        }
        return best;
    }

    private void transmit(SendGroup<M> group, long now) {
        Message<M> message = group.next();
        if (message == null) {
            return;
        }
        boolean resent = !message.fresh();
        int part = group.take(message);
        int bytes = Math.min(config.payload(), message.size - part * config.payload());
        int queue = queue(group);
        Packet<M> packet = new Packet<>(
                sent.next(),
                queue,
                group.job.id,
                group.spec.id(),
                message.id,
                message.size,
                part,
                message.parts,
                bytes,
                group.ordered(),
                resent,
                false,
                message.payload,
                config.overhead());
        beginWaiting(now);
        sent.add(message, part, bytes, queue, now);
        group.pass += packet.wireBytes() / (double) Math.max(1, group.need() - group.delivered);
        pass(packet, now);
    }

    /** Without credit one empty packet at a time asks whether there is room again. */
    private void probe(long now) {
        Packet<M> packet =
                new Packet<>(sent.next(), 1, 0, 0, 0, 0, 0, 1, 0, false, false, true, null, config.overhead());
        beginWaiting(now);
        sent.add(null, 0, 0, 1, now);
        pass(packet, now);
    }

    private void pass(Packet<M> packet, long now) {
        packetsSent++;
        sentInEpoch += packet.wireBytes();
        nextSend = Math.max(nextSend, now - burstNanos()) + (long) (packet.wireBytes() * 1e9 / rate.rate());
        output.transmit(packet, packet.queue());
    }

    /**
     * What is not waited for is not missed: after a rest, silence begins with what is sent into it, not with the last answer
     * before. Unless nothing came through when the rest began.
     */
    private void beginWaiting(long now) {
        if (!sent.anyUndecided() && silentEpochs < SILENT_EPOCHS && lastLoss < 1) {
            heardAt = now;
        }
    }

    /** How far sending may run ahead of the pace. */
    private long burstNanos() {
        int burst = calmEpochs >= CALM ? CALM_BURST * config.burst() : config.burst();
        return (long) ((burst - 1) * (config.payload() + config.overhead()) * 1e9 / rate.rate());
    }

    private long wakeTime(long now) {
        long time = epochEnd;
        for (Iterator<SendJob<M>> it = jobs.values().iterator(); it.hasNext(); ) {
            time = Math.min(time, it.next().deadline);
        }
        time = Math.min(time, sent.lossTime(lossDelay()));
        boolean blocked = !sent.hasRoom() || (credit == 0 || sent.bytesUndecided() > credit) && sent.anyUndecided();
        if (!blocked && next() != null) {
            time = Math.min(time, nextSend);
        }
        return time == Long.MAX_VALUE ? time : Math.max(time, now + 1);
    }

    private Pool pool() {
        double slack = 0;
        double rest = 0;
        for (SendJob<M> job : jobs.values()) {
            for (SendGroup<M> group : job.groups) {
                if (!group.satisfied()) {
                    double undelivered = group.undelivered();
                    double own = config.fixedTarget() ? (1 - group.msr()) * undelivered : group.slack();
                    slack += Math.min(own, group.queue.ceiling() * undelivered);
                    rest += undelivered;
                }
            }
        }
        return new Pool(slack, rest);
    }

    /** The slack of all open groups together, which the rate of the flow goes by. */
    private record Pool(double slack, double rest) {}

    private double cap() {
        return Math.min(config.targetCap(), targetCap);
    }

    private double target(Pool pool) {
        return Math.min(cap(), affordable(pool));
    }

    private double affordable(Pool pool) {
        return Math.min(config.targetCap(), pool.rest <= 0 ? 1 : Math.min(1, pool.slack / pool.rest));
    }
}
