package io.leeway.autotune.lab.internal.forest;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A random forest for regression: every tree sees a sample with replacement, and at every split some of the features. */
public final class Forest {

    private final List<Tree> trees;

    private Forest(List<Tree> trees) {
        this.trees = trees;
    }

    /** Grows so many trees; features are in [0, 1]. At most 65,535 samples. */
    public static Forest grow(double[][] x, double[] y, int count, Tree.Growth growth, SplittableRandom random) {
        var trees = new ArrayList<Tree>();
        for (int t = 0; t < count; t++) {
            int[] samples = new int[y.length];
            for (int k = 0; k < samples.length; k++) {
                samples[k] = random.nextInt(y.length);
            }
            trees.add(Tree.grow(x, y, samples, growth, random));
        }
        return new Forest(trees);
    }

    /** Its trees. */
    List<Tree> trees() {
        return trees;
    }

    /** Mean and standard deviation over the trees. */
    public void predict(double[] point, double[] into) {
        double sum = 0;
        double squares = 0;
        for (Tree tree : trees) {
            double value = tree.predict(point);
            sum += value;
            squares += value * value;
        }
        into[0] = sum / trees.size();
        into[1] = Math.sqrt(Math.max(0, squares / trees.size() - into[0] * into[0]));
    }
}
