package io.leeway.lazytables.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.leeway.testkit.Seeds;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/** Jobs on Spark's local cluster, whose two executors are processes of one core each. */
@Timeout(300)
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Hadoop 3.4 calls what later ones refuse")
class SparkIT {

    private static final int WORKERS = 2;
    private static final int CLOCKS = 30;
    private static final double RATE = 3;

    private static JavaSparkContext spark;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws IOException {
        // Executors get their jars by the option; the cluster only insists that there is a place for them.
        Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
        spark = new JavaSparkContext(new SparkConf()
                .setMaster("local-cluster[" + WORKERS + ",1,1024]")
                .setAppName("lazytables")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.ui.enabled", "false")
                .set("spark.executor.extraJavaOptions", System.getProperty("leeway.executor.options"))
                .set("spark.executor.extraClassPath", withoutFlink(System.getProperty("java.class.path"))));
    }

    /** Spark looks for slots when a job begins, and then only every 15 seconds. */
    @BeforeEach
    void awaitExecutors() {
        await().atMost(Duration.ofMinutes(2))
                .until(() -> spark.sc().statusTracker().getExecutorInfos().length == WORKERS + 1);
    }

    @AfterAll
    static void stop() {
        if (spark != null) {
            spark.stop();
        }
    }

    @Test
    void anExecutorThatDiesAndATaskThatFailsLeaveNoTraceInTheResult() throws Exception {
        var samples = new Samples(2_000, 10, Seeds.seed("spark samples"));
        var marks = new Marks(directory.toString());

        List<double[]> undisturbed = train(samples, (worker, attempt, clocks) -> {});
        List<double[]> disturbed = train(samples, (worker, attempt, clocks) -> {
            marks.set(worker, attempt, clocks);
            if (worker == 1 && attempt == 0 && clocks == 10) {
                dieAsIfTheMachineWereLost();
            } else if (worker == 0 && attempt == 1 && clocks == 20) {
                throw new IllegalStateException("made to fail");
            }
        });

        assertThat(undisturbed)
                .hasSize(WORKERS)
                .allSatisfy(each -> assertThat(each).containsExactly(samples.alone(CLOCKS, RATE), within(1e-12)));
        assertThat(disturbed).containsExactlyElementsOf(undisturbed);
        for (int worker = 0; worker < WORKERS; worker++) {
            assertThat(marks.of(worker, 0)).startsWith(0);
            // One of the two may have done one clock more, and the last may not have reached the servers.
            assertThat(marks.of(worker, 1)).first().isIn(9, 10, 11);
            assertThat(marks.of(worker, 2)).first().isIn(19, 20, 21);
            assertThat(marks.of(worker, 2)).endsWith(CLOCKS);
            assertThat(marks.of(worker, 3)).isEmpty();
        }
    }

    @Test
    void aStageWhoseResultsAreLostIsMadeAgainAndRepeatsNoClock() throws Exception {
        var samples = new Samples(500, 10, Seeds.seed("spark lost results"));
        var marks = new Marks(directory.toString());
        try (Servers servers = new Servers(WORKERS)) {
            var regression = new Regression(samples, WORKERS, CLOCKS, RATE, servers.options());

            List<double[]> weights = SparkRegression.train(spark, regression, marks::set)
                    .map(each -> {
                        if (marks.of(WORKERS, 0).isEmpty()) {
                            marks.set(WORKERS, 0, 0);
                            // With what the workers of the stage before have left on its disk.
                            dieAsIfTheMachineWereLost();
                        }
                        return each;
                    })
                    .collect();

            assertThat(weights)
                    .hasSize(WORKERS)
                    .allSatisfy(each -> assertThat(each).containsExactly(samples.alone(CLOCKS, RATE), within(1e-12)));
            for (int worker = 0; worker < WORKERS; worker++) {
                assertThat(marks.of(worker, 0)).hasSize(CLOCKS + 1);
                assertThat(marks.of(worker, 1)).containsExactly(CLOCKS);
            }
        }
    }

    @Test
    void anApplicationRunsInTasksAsItIs() throws Exception {
        try (Servers servers = new Servers(WORKERS)) {
            var lasso = new LassoPart(WORKERS, Seeds.seed("spark lasso"), servers.options());

            List<Double> objectives = spark.parallelize(
                            IntStream.range(0, WORKERS).boxed().toList(), WORKERS)
                    .rdd()
                    .barrier()
                    .mapPartitions(new Descent(lasso), false, ClassTag$.MODULE$.<Double>apply(Double.class))
                    .toJavaRDD()
                    .collect();

            double least = lasso.reference();
            assertThat(objectives)
                    .hasSize(WORKERS)
                    .allSatisfy(each -> assertThat(each).isCloseTo(least, within(1e-5 * least)));
        }
    }

    private static List<double[]> train(Samples samples, Regression.Progress progress) throws Exception {
        try (Servers servers = new Servers(WORKERS)) {
            var regression = new Regression(samples, WORKERS, CLOCKS, RATE, servers.options());
            return SparkRegression.train(spark, regression, progress).collect();
        }
    }

    private static void dieAsIfTheMachineWereLost() {
        Runtime.getRuntime().halt(9);
    }

    /** Flink's Kryo has the names of Spark's, in another version; nobody has both engines in one process. */
    private static String withoutFlink(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .filter(jar -> !jar.matches(".*/(flink|kryo-\\d)[^/]*"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Where each attempt of each worker was, as files: processes that die do not say it in another way. */
    private record Marks(String directory) implements Serializable {

        void set(int worker, int attempt, int clocks) {
            try {
                Files.createFile(Path.of(directory, worker + "-" + attempt + "-" + clocks));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** In ascending order. */
        List<Integer> of(int worker, int attempt) {
            String start = worker + "-" + attempt + "-";
            return Stream.of(Path.of(directory).toFile().list())
                    .filter(name -> name.startsWith(start))
                    .map(name -> Integer.valueOf(name.substring(start.length())))
                    .sorted()
                    .toList();
        }
    }

    private static final class Descent extends AbstractFunction1<Iterator<Integer>, Iterator<Double>>
            implements Serializable {

        private static final long serialVersionUID = 1;

        private final LassoPart lasso;

        Descent(LassoPart lasso) {
            this.lasso = lasso;
        }

        @Override
        public Iterator<Double> apply(Iterator<Integer> part) {
            return Iterator$.MODULE$.single(lasso.run(part.next()));
        }
    }
}
