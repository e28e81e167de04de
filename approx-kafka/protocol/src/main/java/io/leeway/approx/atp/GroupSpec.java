package io.leeway.approx.atp;

/**
 * A subset of a job's messages with its own promise.
 *
 * @param id 0 to 65535, of the sender's choice
 * @param msr the least part of its messages that arrives complete, 0 to 1; with 1 they also arrive in order
 * @param expected how many messages it will have, or an estimate from earlier windows; 0 if unknown
 * @param exact whether {@code expected} is certain: then the sample is chosen before the first message
 */
public record GroupSpec(int id, double msr, long expected, boolean exact) {

    public GroupSpec {
        if (id < 0 || id > 0xFFFF) {
            throw new IllegalArgumentException("a group's id is 0 to 65535, not " + id);
        }
        if (!(msr >= 0 && msr <= 1)) {
            throw new IllegalArgumentException("the MSR of group " + id + " is 0 to 1, not " + msr);
        }
        if (expected < 0 || expected > Integer.MAX_VALUE || exact && expected == 0) {
            throw new IllegalArgumentException("group " + id + " cannot have " + expected + " messages");
        }
    }

    /** A group of a window: its size is known when the window ends. */
    public static GroupSpec open(int id, double msr, long estimate) {
        return new GroupSpec(id, msr, estimate, false);
    }

    /** A group of a batch: its size is known now. */
    public static GroupSpec exactly(int id, double msr, long messages) {
        return new GroupSpec(id, msr, messages, true);
    }

    /** The least number of messages that have to arrive out of {@code messages}. */
    public static long need(double msr, long messages) {
        // The product of a decimal fraction and a count may exceed a whole number by its last bit.
        return (long) Math.ceil(msr * messages - 1e-9 * Math.max(1, messages));
    }
}
