package io.leeway.lazytables.engines;

import java.util.List;
import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Workers of LazyTables as subtasks of a Flink job, one for each number that the source gives out. All of them wait for each other, so all must run at once: streaming mode, and as many slots as workers.
 * When one fails, Flink starts all again, by its restart strategy, and each goes on at its last clock.
 */
final class FlinkRegression {

    private static final String WEIGHTS = "weights";

    private FlinkRegression() {}

    /** Runs the job; the weights as each worker saw them at the end. */
    static List<double[]> train(StreamExecutionEnvironment flink, Regression regression, Regression.Progress progress)
            throws Exception {
        flink.fromSequence(0, regression.workers() - 1)
                .setParallelism(1)
                // Number n to subtask n: whoever balances load may give one subtask two.
                .partitionCustom((number, subtasks) -> number.intValue(), number -> number)
                .map(new Training(regression, progress))
                .setParallelism(regression.workers())
                .sinkTo(new DiscardingSink<>());
        return flink.execute("regression").getAccumulatorResult(WEIGHTS);
    }

    /** One worker. Cancelled by Flink, its thread is interrupted, and LazyTables gives up waiting. */
    private static final class Training extends RichMapFunction<Long, Long> {

        private static final long serialVersionUID = 1;

        private final Regression regression;
        private final Regression.Progress progress;
        private final ListAccumulator<double[]> weights = new ListAccumulator<>();

        Training(Regression regression, Regression.Progress progress) {
            this.regression = regression;
            this.progress = progress;
        }

        @Override
        public void open(OpenContext context) {
            getRuntimeContext().addAccumulator(WEIGHTS, weights);
        }

        @Override
        public Long map(Long number) {
            int attempt = getRuntimeContext().getTaskInfo().getAttemptNumber();
            weights.add(regression.work(number.intValue(), attempt, progress));
            return number;
        }
    }
}
