package io.leeway.autotune.lab.internal.detect;

import io.leeway.autotune.lab.internal.trace.ServiceStatistics;
import io.leeway.autotune.lab.internal.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_parameter;
import libsvm.svm_problem;

/**
 * Which services may be a bottleneck, as FIRM says it: a support vector machine over the correlation of a service's own
 * time with the request's and the ratio of its 99th percentile to its median. It is trained when it is asked for, in
 * less than a second, on simulated applications of which one service is slow in some of the requests (Gagan
 * Somashekhar, "Performance Management of Large-Scale Microservices Applications", 2023, section 3.4.2, dimensionality
 * reduction).
 */
public final class ServiceClassifier implements Predicate<ServiceStatistics> {

    private static final int APPLICATIONS = 60;
    private static final int TRACES = 120;

    private final svm_model model;

    private ServiceClassifier(svm_model model) {
        this.model = model;
    }

    /** Trains it; the same one every time. */
    public static ServiceClassifier trained() {
        svm.svm_set_print_string_function(text -> {});
        var rows = new ArrayList<double[]>();
        var labels = new ArrayList<Boolean>();
        var random = new SplittableRandom(11);
        for (int a = 0; a < APPLICATIONS; a++) {
            double pauses = 6_000 * random.nextDouble();
            var simulator = new TraceSimulator(6 + random.nextInt(15), 2, random.nextLong(), pauses);
            // One that waits in every request, or now and then.
            double share = 0.3 + 0.7 * random.nextDouble();
            List<Trace> traces = new ArrayList<>();
            TraceSimulator.Labelled sick = simulator.anomalous(TraceSimulator.Anomaly.SINGLE);
            String culprit = sick.culprits().iterator().next();
            for (int i = 0; i < TRACES; i++) {
                // A service that is often slow, as one with a poor configuration is.
                traces.add(
                        random.nextDouble() < share
                                ? simulator.slow(culprit).trace()
                                : simulator.normal().trace());
            }
            ServiceStatistics.of(traces).forEach((service, statistics) -> {
                rows.add(features(statistics));
                labels.add(service.equals(culprit));
            });
        }
        var problem = new svm_problem();
        problem.l = rows.size();
        problem.x = rows.stream().map(VectorMachine::nodes).toArray(libsvm.svm_node[][]::new);
        problem.y = labels.stream().mapToDouble(isOne -> isOne ? 1 : -1).toArray();
        var parameter = new svm_parameter();
        parameter.svm_type = svm_parameter.C_SVC;
        parameter.kernel_type = svm_parameter.RBF;
        parameter.gamma = 1;
        parameter.C = 1;
        parameter.cache_size = 10;
        parameter.eps = 1e-3;
        parameter.shrinking = 1;
        parameter.nr_weight = 1;
        parameter.weight_label = new int[] {1};
        parameter.weight = new double[] {8};
        return new ServiceClassifier(svm.svm_train(problem, parameter));
    }

    private static double[] features(ServiceStatistics statistics) {
        return new double[] {statistics.relevance(), Math.log(Math.max(1, statistics.congestion()))};
    }

    @Override
    public boolean test(ServiceStatistics statistics) {
        return svm.svm_predict(model, VectorMachine.nodes(features(statistics))) > 0;
    }
}
