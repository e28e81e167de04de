package io.leeway.netsim.internal.training;

import java.util.List;

/**
 * A model as the network sees it.
 *
 * @param name its name
 * @param tensors in the order of the forward pass
 */
public record Model(String name, List<Tensor> tensors) {

    /** Checks. */
    public Model {
        tensors = List.copyOf(tensors);
        if (tensors.isEmpty()) {
            throw new IllegalArgumentException("model " + name + " has no tensors");
        }
    }

    /** Size of all tensors in bits. */
    public long bits() {
        return tensors.stream().mapToLong(Tensor::bits).sum();
    }

    /** The forward pass in seconds. */
    public double forward() {
        return tensors.stream().mapToLong(Tensor::forwardNanos).sum() / 1e9;
    }

    /** From the first gradient to the last, in seconds: the first backward step is not in it. */
    public double backward() {
        return tensors.stream().mapToLong(Tensor::backwardNanos).sum() / 1e9;
    }

    /** The same model on faster processors. */
    public Model faster(double factor) {
        return new Model(
                name, tensors.stream().map(tensor -> tensor.faster(factor)).toList());
    }
}
