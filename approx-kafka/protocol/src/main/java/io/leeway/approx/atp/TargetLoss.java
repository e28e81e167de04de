package io.leeway.approx.atp;

/** The loss of messages that a job can still afford, and the queue that follows from it (NetApprox, equation 1 and §"dynamic priority"). */
final class TargetLoss {

    private TargetLoss() {}

    /**
     * Of the messages that are not delivered yet, the part that may still get lost.
     *
     * @param messages the size of the job or group
     * @param msr its minimal sampling rate
     * @param lost messages that count as lost so far
     * @param delivered messages that are known to have arrived
     */
    static double of(double messages, double msr, double lost, double delivered) {
        if (delivered >= GroupSpec.need(msr, (long) messages) || messages <= delivered) {
            return 1;
        }
        return clamp(slack(messages, msr, lost) / (messages - delivered));
    }

    /** How many messages may still get lost. */
    static double slack(double messages, double msr, double lost) {
        return Math.max(0, messages * (1 - msr) - lost);
    }

    /** The queue of a target among {@code queues} whose thresholds are spread evenly: 1 (little slack) to {@code queues - 1}. */
    static int queue(double target, int queues) {
        int lowest = queues - 1;
        return Math.max(1, Math.min(lowest, (int) Math.ceil(target * lowest - 1e-9)));
    }

    /** The loss of messages of {@code parts} packets each, if packets get lost independently. */
    static double ofMessages(double packetLoss, double parts) {
        return 1 - Math.pow(1 - packetLoss, parts);
    }

    private static double clamp(double value) {
        return Math.max(0, Math.min(1, value));
    }
}
