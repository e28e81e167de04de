package io.leeway.netsim.internal.training;

/**
 * One trainable tensor of a model, in the order of the forward pass.
 *
 * @param name its name
 * @param bits its size
 * @param forwardNanos what its operation takes in the forward pass
 * @param backwardNanos what passes in the backward pass before its gradient is there, since the one before
 */
public record Tensor(String name, long bits, long forwardNanos, long backwardNanos) {

    /** Ten million seconds: within it, times of a simulation can be added up. */
    static final long MOST_NANOS = 10_000_000_000_000_000L;

    /** More than a terabyte. */
    static final long MOST_BITS = 10_000_000_000_000L;

    /** Checks. */
    public Tensor {
        if (forwardNanos > MOST_NANOS || backwardNanos > MOST_NANOS || bits > MOST_BITS) {
            throw new IllegalArgumentException(name + " is too large: a parameter has at most " + MOST_BITS
                    + " bits, and its operations take at most " + MOST_NANOS + " ns");
        }
        if (bits <= 0 || forwardNanos < 0 || backwardNanos < 0) {
            throw new IllegalArgumentException(
                    name + " has " + bits + " bits, " + forwardNanos + " ns, " + backwardNanos + " ns");
        }
    }

    Tensor faster(double factor) {
        return new Tensor(name, bits, Math.round(forwardNanos / factor), Math.round(backwardNanos / factor));
    }
}
