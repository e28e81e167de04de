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

    /** Checks. */
    public Tensor {
        if (bits <= 0 || forwardNanos < 0 || backwardNanos < 0) {
            throw new IllegalArgumentException(
                    name + " has " + bits + " bits, " + forwardNanos + " ns, " + backwardNanos + " ns");
        }
    }

    Tensor faster(double factor) {
        return new Tensor(name, bits, Math.round(forwardNanos / factor), Math.round(backwardNanos / factor));
    }
}
