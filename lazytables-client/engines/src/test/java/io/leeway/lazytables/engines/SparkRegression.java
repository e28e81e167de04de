package io.leeway.lazytables.engines;

import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * Workers of LazyTables as tasks of a Spark job. They wait for each other, so their stage is a barrier: Spark begins it when there is a slot for each, and makes all tasks again when one fails; each then goes on at its last clock.
 */
final class SparkRegression {

    private SparkRegression() {}

    /** The weights as each worker saw them at the end. They come out of a shuffle, and so without an order. */
    static JavaRDD<double[]> train(JavaSparkContext spark, Regression regression, Regression.Progress progress) {
        List<Integer> workers = IntStream.range(0, regression.workers()).boxed().toList();
        // When one task fails the others, which wait for it, are interrupted.
        spark.setJobGroup("regression", "least squares", true);
        return spark.parallelize(workers, workers.size())
                .rdd()
                .barrier()
                .mapPartitions(new Training(regression, progress), false, ClassTag$.MODULE$.apply(double[].class))
                .toJavaRDD()
                // A barrier can be made again if a shuffle follows, and not if its results go to the driver.
                .repartition(1);
    }

    /** One worker. */
    private static final class Training extends AbstractFunction1<Iterator<Integer>, Iterator<double[]>>
            implements Serializable {

        private static final long serialVersionUID = 1;

        private final Regression regression;
        private final Regression.Progress progress;

        Training(Regression regression, Regression.Progress progress) {
            this.regression = regression;
            this.progress = progress;
        }

        @Override
        public Iterator<double[]> apply(Iterator<Integer> numbers) {
            int attempt = BarrierTaskContext.get().stageAttemptNumber();
            return Iterator$.MODULE$.single(regression.work(numbers.next(), attempt, progress));
        }
    }
}
