package io.leeway.approx.atp;

/**
 * The numbers of a flow at one moment, for metrics and for who decides whether the network can be used at all.
 *
 * @param rate bytes a second
 * @param loss the loss of the last epoch that was decided
 * @param target the loss that the open jobs can afford, whatever the rate aims at
 * @param queue the priority queue of the oldest open job, its first group's; 0 if none is open
 * @param rtt the smoothed round trip in nanoseconds
 * @param packetsSent packets so far
 * @param packetsLost packets presumed lost so far
 * @param receiverDrops packets that the receiver had no room for
 * @param buffered bytes of messages held
 * @param openJobs jobs that are not finished
 * @param heardAt when the last acknowledgement came, or, if that was before a rest, when something was sent after it
 * @param silent whether packets are on their way and nothing was heard for four epochs
 */
public record FlowState(
        double rate,
        double loss,
        double target,
        int queue,
        long rtt,
        long packetsSent,
        long packetsLost,
        long receiverDrops,
        long buffered,
        int openJobs,
        long heardAt,
        boolean silent) {}
