package io.leeway.lazytables.apps;

/**
 * How much of the data a clock goes over: several whole passes, or one of several blocks.
 *
 * @param passes within a clock; one where there are blocks
 * @param blocks that a pass consists of; one where there are passes
 */
public record WorkPerClock(int passes, int blocks) {

    /** One pass. */
    public static final WorkPerClock ONE = new WorkPerClock(1, 1);

    private static final int MOST = 10_000;

    /** Checked. */
    public WorkPerClock {
        if (passes < 1 || blocks < 1 || (passes > 1 && blocks > 1) || passes > MOST || blocks > MOST) {
            throw new BadInputException("work per clock is " + passes + " passes of " + blocks
                    + " blocks; it may be 1 to " + MOST + " passes, or one of up to as many blocks");
        }
    }

    /** From a number of passes such as 4 or 0.1. */
    public static WorkPerClock parse(String text) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException none) {
            throw new BadInputException("work per clock is no number: " + text, none);
        }
        double whole = value >= 1 ? value : 1 / value;
        if (!(value > 0) || Math.abs(whole - Math.rint(whole)) > 1e-6 * whole || whole > MOST) {
            throw new BadInputException("work per clock is " + text
                    + "; it must be a whole number of passes, or one pass over a whole number, such as 0.5, 0.25, 0.1");
        }
        return value >= 1 ? new WorkPerClock((int) Math.rint(whole), 1) : new WorkPerClock(1, (int) Math.rint(whole));
    }

    /** In passes. */
    public double inPasses() {
        return (double) passes / blocks;
    }
}
