package io.leeway.approx.atp;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What has arrived of one group. */
final class ReceivedGroup<M> {

    /** Beyond this a message's number is taken for a forgery. */
    private static final int MOST_MESSAGES = 1 << 28;

    private final BitSet complete = new BitSet();
    private final Map<Integer, ReceivedMessage<M>> incomplete = new HashMap<>();
    /** Complete messages of an ordered group that wait for one before them. */
    private final TreeMap<Integer, ReceivedMessage<M>> waiting = new TreeMap<>();

    private int nextInOrder;
    private long delivered;
    private long bytesDelivered;

    /** Whether a packet is part of a message that has not arrived, and fits to its other parts. */
    boolean accepts(Packet<M> packet) {
        boolean sane = packet.message() >= 0
                && packet.message() < MOST_MESSAGES
                && packet.parts() >= 1
                && packet.index() >= 0
                && packet.index() < packet.parts();
        if (!sane || complete.get(packet.message())) {
            return false;
        }
        ReceivedMessage<M> message = incomplete.get(packet.message());
        return message == null || message.accepts(packet);
    }

    /** Adds a packet; the message, if it was the last one that lacked. */
    @Nullable
    ReceivedMessage<M> add(Packet<M> packet) {
        ReceivedMessage<M> message = incomplete.computeIfAbsent(
                packet.message(), id -> new ReceivedMessage<>(id, packet.length(), packet.parts()));
        message.add(packet);
        if (!message.complete()) {
            return null;
        }
        incomplete.remove(packet.message());
        complete.set(packet.message());
        return message;
    }

    /** Hands a complete message up, and those that waited for it. */
    void deliver(int job, int group, ReceivedMessage<M> message, boolean ordered, AtpReceiver.Output<M> output) {
        if (!ordered) {
            handUp(job, group, message, output);
            return;
        }
        waiting.put(message.id, message);
        while (!waiting.isEmpty() && waiting.firstKey() == nextInOrder) {
            handUp(job, group, waiting.pollFirstEntry().getValue(), output);
            nextInOrder++;
        }
    }

    private void handUp(int job, int group, ReceivedMessage<M> message, AtpReceiver.Output<M> output) {
        delivered++;
        bytesDelivered += message.length;
        output.deliver(job, group, message.id, message.length, message.parts());
    }

    /** As many messages as the highest number tells: there may have been more. */
    long atLeast() {
        int highest = complete.length() - 1;
        for (int message : incomplete.keySet()) {
            highest = Math.max(highest, message);
        }
        return highest + 1L;
    }

    /** Gives up what is incomplete or waits; the bytes that were held for it. */
    long abandon(AtpReceiver.Output<M> output) {
        List<ReceivedMessage<M>> rest = new ArrayList<>(incomplete.values());
        rest.addAll(waiting.values());
        incomplete.clear();
        waiting.clear();
        long bytes = 0;
        for (ReceivedMessage<M> message : rest) {
            bytes += message.bytes;
            message.parts().forEach(output::released);
        }
        return bytes;
    }

    JobReport.Group report(Control.Totals totals) {
        return new JobReport.Group(
                totals.group(),
                totals.msr(),
                totals.messages(),
                delivered,
                totals.bytes(),
                bytesDelivered,
                totals.sent(),
                totals.resent(),
                totals.biasZ(delivered, bytesDelivered),
                missing((int) totals.messages()));
    }

    private List<JobReport.Range> missing(int messages) {
        List<JobReport.Range> ranges = new ArrayList<>();
        // What arrived but waits for a message before it was not handed up.
        waiting.keySet().forEach(complete::clear);
        int first = complete.nextClearBit(0);
        while (first < messages) {
            int next = complete.nextSetBit(first);
            int last = next < 0 || next > messages ? messages - 1 : next - 1;
            ranges.add(new JobReport.Range(first, last));
            first = complete.nextClearBit(last + 1);
        }
        return ranges;
    }
}
