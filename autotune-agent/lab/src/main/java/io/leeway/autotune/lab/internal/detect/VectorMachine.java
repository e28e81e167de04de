package io.leeway.autotune.lab.internal.detect;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import libsvm.svm_parameter;
import libsvm.svm_problem;

/**
 * The baseline: a support vector machine with a radial kernel that sees each span by itself, with the same times
 * against the same usual ones as the network, and no graph (Gagan Somashekhar, "Performance Management of Large-Scale
 * Microservices Applications", 2023, section 5.1).
 */
public final class VectorMachine implements Detector {

    private static final int MOST = 3_000;

    static {
        svm.svm_set_print_string_function(text -> {});
    }

    private final svm_model model;

    private VectorMachine(svm_model model) {
        this.model = model;
    }

    /** Learns on spans; of many, a sample in which classes keep their shares. */
    public static VectorMachine train(Dataset training, long seed) {
        var rows = new ArrayList<double[]>();
        var labels = new ArrayList<Double>();
        for (Dataset.Sample sample : training.samples()) {
            for (int i = 0; i < sample.labels().length; i++) {
                rows.add(Features.alone(sample.graph().rows()[i]));
                labels.add(sample.labels()[i]);
            }
        }
        var random = new Random(seed);
        double share = Math.min(1, (double) MOST / rows.size());
        var chosen = new ArrayList<Integer>();
        for (int i = 0; i < rows.size(); i++) {
            // Culprits are few: all of them up to half of the sample.
            boolean isCulprit = labels.get(i) > 0;
            if (random.nextDouble() < (isCulprit ? Math.min(1, 8 * share) : share)) {
                chosen.add(i);
            }
        }
        var problem = new svm_problem();
        problem.l = chosen.size();
        problem.x = chosen.stream().map(i -> nodes(rows.get(i))).toArray(svm_node[][]::new);
        problem.y = chosen.stream().mapToDouble(i -> labels.get(i) > 0 ? 1 : -1).toArray();
        var parameter = new svm_parameter();
        parameter.svm_type = svm_parameter.C_SVC;
        parameter.kernel_type = svm_parameter.RBF;
        parameter.gamma = 0.5;
        parameter.C = 1;
        parameter.cache_size = 50;
        parameter.eps = 1e-2;
        parameter.shrinking = 1;
        return new VectorMachine(svm.svm_train(problem, parameter));
    }

    static svm_node[] nodes(double[] row) {
        svm_node[] nodes = new svm_node[row.length];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new svm_node();
            nodes[i].index = i + 1;
            nodes[i].value = row[i];
        }
        return nodes;
    }

    @Override
    public double[] probabilities(GraphView view) {
        List<double[]> rows = List.of(view.graph().rows());
        double[] probabilities = new double[rows.size()];
        double[] decision = new double[1];
        int sign = model.label[0] > 0 ? 1 : -1;
        for (int i = 0; i < probabilities.length; i++) {
            svm.svm_predict_values(model, nodes(Features.alone(rows.get(i))), decision);
            // The side of the plane decides; the distance only ranks.
            probabilities[i] = 1 / (1 + Math.exp(-3 * sign * decision[0]));
        }
        return probabilities;
    }
}
