package io.leeway.lazytables.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.testkit.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Jobs on Flink's small cluster, with two task managers of one slot each. */
@Timeout(300)
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Hadoop 3.4 calls what later ones refuse")
class FlinkIT {

    private static final int WORKERS = 2;
    private static final int CLOCKS = 30;
    private static final double RATE = 3;

    private static final String OBJECTIVES = "objectives";

    private static final AtomicInteger FAILURES = new AtomicInteger();

    @Test
    void subtasksThatFailGoOnAndEqualOneThreadToTheLastDigits() throws Exception {
        var samples = new Samples(2_000, 10, Seeds.seed("flink samples"));
        try (Servers servers = new Servers(WORKERS);
                StreamExecutionEnvironment flink = flink()) {
            var regression = new Regression(samples, WORKERS, CLOCKS, RATE, servers.options());

            List<double[]> weights = FlinkRegression.train(flink, regression, FlinkIT::failTwice);

            double[] alone = samples.alone(CLOCKS, RATE);
            assertThat(FAILURES).hasValue(2);
            assertThat(weights)
                    .hasSize(WORKERS)
                    .allSatisfy(each -> assertThat(each).containsExactly(alone, within(1e-12)));
            for (int j = 0; j < alone.length; j++) {
                assertThat(alone[j]).isCloseTo(samples.truth(j), within(0.05));
            }
        }
    }

    @Test
    void anApplicationRunsInSubtasksAsItIs() throws Exception {
        try (Servers servers = new Servers(WORKERS);
                StreamExecutionEnvironment flink = flink()) {
            var lasso = new LassoPart(WORKERS, Seeds.seed("flink lasso"), servers.options());

            flink.fromSequence(0, WORKERS - 1)
                    .setParallelism(1)
                    .partitionCustom((number, subtasks) -> number.intValue(), number -> number)
                    .map(new Descent(lasso))
                    .setParallelism(WORKERS)
                    .sinkTo(new DiscardingSink<>());
            List<Double> objectives = flink.execute("lasso").getAccumulatorResult(OBJECTIVES);

            double least = lasso.reference();
            assertThat(objectives)
                    .hasSize(WORKERS)
                    .allSatisfy(each -> assertThat(each).isCloseTo(least, within(1e-5 * least)));
        }
    }

    /** One subtask in its first attempt, the other one in its second. */
    private static void failTwice(int worker, int attempt, int clock) {
        if (worker == attempt && clock == 10 + 5 * attempt) {
            FAILURES.incrementAndGet();
            throw new IllegalStateException("made to fail at clock " + clock);
        }
    }

    private static StreamExecutionEnvironment flink() {
        var configuration = new Configuration();
        configuration.set(TaskManagerOptions.MINI_CLUSTER_NUM_TASK_MANAGERS, WORKERS);
        configuration.set(TaskManagerOptions.NUM_TASK_SLOTS, 1);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        return StreamExecutionEnvironment.createLocalEnvironment(WORKERS, configuration);
    }

    private static final class Descent extends RichMapFunction<Long, Long> {

        private static final long serialVersionUID = 1;

        private final LassoPart lasso;
        private final ListAccumulator<Double> objectives = new ListAccumulator<>();

        Descent(LassoPart lasso) {
            this.lasso = lasso;
        }

        @Override
        public void open(OpenContext context) {
            getRuntimeContext().addAccumulator(OBJECTIVES, objectives);
        }

        @Override
        public Long map(Long number) {
            objectives.add(lasso.run(number.intValue()));
            return number;
        }
    }
}
