package io.leeway.approx.atp;

/**
 * The constants and switches of one flow. Immutable; a changed copy comes from the methods named like the component.
 *
 * @param maxRate the rate of the port that the sender sends through, in bytes a second
 * @param payload bytes of a message that one packet carries; a packet is this plus {@code overhead}
 * @param overhead bytes that a packet is longer than what it carries
 * @param queues priority queues of the network, the one for other traffic included; 2 to 8
 * @param initialRtt what the round trip is taken for until one was measured, in nanoseconds
 * @param minEpoch the shortest control interval; the interval is the round trip if that is longer, in nanoseconds
 * @param minLossDelay the shortest time after which a packet without acknowledgement is presumed lost, in nanoseconds
 * @param alpha the part of {@code maxRate} that an increase adds at the start; it adapts between 1/4096 and 1/16
 * @param burst packets that may leave at once when the timer of the driver is coarser than the pace
 * @param window packets that may be undecided at once; a power of two
 * @param bufferBytes bytes of messages that wait or may be sent again, beyond which {@code offer} refuses
 * @param targetCap the highest loss that is aimed at, whatever the slack: 1 on a prepared network, 0.02 on others
 * @param selection which messages make up the sample
 * @param minimalRemainingFirst whether the message with the fewest bytes left goes first, or the oldest
 * @param fixedTarget whether the target stays at 1 - MSR (ATP_FixTLR)
 * @param fixedPriority whether a group stays in the queue of its MSR (ATP_FixPrio)
 * @param hysteresis whether a move to a lower queue is tried with care
 * @param lossCount what counts as spent slack
 * @param lossUnit whether the measured loss of packets is converted to messages before it is compared
 * @param rateLaw how the rate changes
 * @param seed where the ranks of messages come from
 */
public record AtpConfig(
        double maxRate,
        int payload,
        int overhead,
        int queues,
        long initialRtt,
        long minEpoch,
        long minLossDelay,
        double alpha,
        int burst,
        int window,
        long bufferBytes,
        double targetCap,
        Selection selection,
        boolean minimalRemainingFirst,
        boolean fixedTarget,
        boolean fixedPriority,
        boolean hysteresis,
        LossCount lossCount,
        LossUnit lossUnit,
        RateLaw rateLaw,
        long seed) {

    /** Which messages make up the sample. */
    public enum Selection {
        /** Those of the lowest hashed rank; they are sent again until they arrive, so that loss costs time, not bias. */
        UNBIASED,
        /** Any: the group is satisfied by whichever arrive first, as the paper has it. Favours small messages. */
        ANY
    }

    /** What counts as spent slack in the target loss rate. */
    public enum LossCount {
        /** Messages that are presumed lost now; one that is sent again is given back, so the target rises under loss. */
        PRESUMED_LOST,
        /** Messages that were ever presumed lost: the target falls under loss, and with it the queue rises. */
        EVER_LOST
    }

    /** What the measured loss is compared in. */
    public enum LossUnit {
        /** Messages: the loss of packets is converted by the mean number of packets a message. */
        MESSAGE,
        /** Packets, as the paper does. */
        PACKET
    }

    /** How the rate changes from epoch to epoch. */
    public enum RateLaw {
        /** Up by a share of the port's rate, down by half of the loss. */
        ADDITIVE,
        /** The same, and back to nearly the former rate after a time in which nothing arrived; beyond the paper. */
        ADDITIVE_WITH_PAUSES,
        /** Up towards the port's rate by a share of the distance, down by half of the loss. */
        BLEND,
        /** Always the port's rate. */
        NONE
    }

    public AtpConfig {
        check(maxRate >= 1_000 && maxRate < 1e13, "maxRate", maxRate);
        check(payload >= 64 && payload <= 65_000, "payload", payload);
        check(overhead >= 0 && overhead <= 1_000, "overhead", overhead);
        check(queues >= 2 && queues <= 8, "queues", queues);
        check(initialRtt > 0, "initialRtt", initialRtt);
        check(minEpoch > 0, "minEpoch", minEpoch);
        check(minLossDelay > 0, "minLossDelay", minLossDelay);
        check(alpha > 0 && alpha <= 1, "alpha", alpha);
        check(burst >= 1 && burst <= 1_024, "burst", burst);
        check(window >= 64 && window <= 1 << 20 && Integer.bitCount(window) == 1, "window", window);
        check(bufferBytes >= payload, "bufferBytes", bufferBytes);
        check(targetCap > 0 && targetCap <= 1, "targetCap", targetCap);
    }

    private static void check(boolean holds, String name, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(name + " is out of range: " + value);
        }
    }

    /** For a data centre's network: a round trip of 10 us, timers that keep the pace of single packets. */
    public static AtpConfig simulated(double maxRate, int payload) {
        return new AtpConfig(
                maxRate,
                payload,
                40,
                8,
                10_000,
                10_000,
                30_000,
                1.0 / 64,
                1,
                1 << 14,
                Long.MAX_VALUE,
                1,
                Selection.UNBIASED,
                true,
                false,
                false,
                true,
                LossCount.EVER_LOST,
                LossUnit.MESSAGE,
                RateLaw.ADDITIVE,
                1);
    }

    /** For user space and sockets: epochs of at least a millisecond, bursts of eight packets. */
    public static AtpConfig real(double maxRate, int payload, long seed) {
        return new AtpConfig(
                maxRate,
                payload,
                84,
                8,
                // Until a round trip was measured nothing is presumed lost that a start-up may merely have held up.
                10_000_000,
                1_000_000,
                1_000_000,
                1.0 / 64,
                8,
                1 << 14,
                64L << 20,
                1,
                Selection.UNBIASED,
                true,
                false,
                false,
                true,
                LossCount.EVER_LOST,
                LossUnit.MESSAGE,
                RateLaw.ADDITIVE_WITH_PAUSES,
                seed);
    }

    /** A copy with another {@code overhead}. */
    public AtpConfig overhead(int overhead) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code queues}. */
    public AtpConfig queues(int queues) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code initialRtt}. */
    public AtpConfig initialRtt(long initialRtt) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code minEpoch}. */
    public AtpConfig minEpoch(long minEpoch) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code minLossDelay}. */
    public AtpConfig minLossDelay(long minLossDelay) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code alpha}. */
    public AtpConfig alpha(double alpha) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code burst}. */
    public AtpConfig burst(int burst) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code window}. */
    public AtpConfig window(int window) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code bufferBytes}. */
    public AtpConfig bufferBytes(long bufferBytes) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code targetCap}. */
    public AtpConfig targetCap(double targetCap) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code selection}. */
    public AtpConfig selection(Selection selection) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code minimalRemainingFirst}. */
    public AtpConfig minimalRemainingFirst(boolean minimalRemainingFirst) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code fixedTarget}. */
    public AtpConfig fixedTarget(boolean fixedTarget) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code fixedPriority}. */
    public AtpConfig fixedPriority(boolean fixedPriority) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code hysteresis}. */
    public AtpConfig hysteresis(boolean hysteresis) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code lossCount}. */
    public AtpConfig lossCount(LossCount lossCount) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code lossUnit}. */
    public AtpConfig lossUnit(LossUnit lossUnit) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code rateLaw}. */
    public AtpConfig rateLaw(RateLaw rateLaw) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }

    /** A copy with another {@code seed}. */
    public AtpConfig seed(long seed) {
        return new AtpConfig(
                maxRate,
                payload,
                overhead,
                queues,
                initialRtt,
                minEpoch,
                minLossDelay,
                alpha,
                burst,
                window,
                bufferBytes,
                targetCap,
                selection,
                minimalRemainingFirst,
                fixedTarget,
                fixedPriority,
                hysteresis,
                lossCount,
                lossUnit,
                rateLaw,
                seed);
    }
}
