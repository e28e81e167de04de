package io.leeway.lazybase.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.pipeline.Pipeline;
import io.leeway.lazybase.internal.pipeline.PipelineSettings;
import io.leeway.lazybase.internal.pipeline.Stage;
import io.leeway.lazybase.internal.storage.LocalStore;
import io.leeway.lazybase.spi.Store;
import io.leeway.testkit.Depth;
import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process on a real directory that halts at a sync or a rename, before or after it took effect: at each of them once in the deep tier.
 * What a disk may lose besides is in {@link ScheduleTest}.
 */
class CrashPointsIT {

    private static final int COMMITS = 60;
    private static final int HALTED = 77;

    /** Halts the process at an operation. */
    private record HaltingStore(Store store, long at, boolean before, AtomicLong operations) implements Store {

        private interface Operation {
            void run() throws IOException;
        }

        private void operate(Operation operation) throws IOException {
            boolean here = operations.incrementAndGet() == at;
            if (here && before) {
                Runtime.getRuntime().halt(HALTED);
            }
            operation.run();
            if (here) {
                Runtime.getRuntime().halt(HALTED);
            }
        }

        @Override
        public Writer create(String name) throws IOException {
            Writer writer = store.create(name);
            return new Writer() {
                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    writer.write(bytes, from, length);
                }

                @Override
                public void sync() throws IOException {
                    operate(writer::sync);
                }

                @Override
                public long size() {
                    return writer.size();
                }

                @Override
                public void close() throws IOException {
                    writer.close();
                }
            };
        }

        @Override
        public Reader open(String name) throws IOException {
            return store.open(name);
        }

        @Override
        public void rename(String from, String to) throws IOException {
            operate(() -> store.rename(from, to));
        }

        @Override
        public void delete(String name) throws IOException {
            store.delete(name);
        }

        @Override
        public List<String> list() throws IOException {
            return store.list();
        }

        @Override
        public long free() throws IOException {
            return store.free();
        }

        @Override
        public void close() throws IOException {
            store.close();
        }
    }

    /** The process: says what was acknowledged, and at the end how many operations there were. */
    static final class Main {

        private Main() {}

        public static void main(String[] arguments) throws Exception {
            var store = new HaltingStore(
                    new LocalStore(Path.of(arguments[0])),
                    Long.parseLong(arguments[1]),
                    Boolean.parseBoolean(arguments[2]),
                    new AtomicLong());
            try (Pipeline pipeline = PipelineTest.open(store, PipelineSettings.manual(15, 16))) {
                for (int n = 1; n <= COMMITS; n++) {
                    var answer = pipeline.commit(Map.of(
                            1,
                            Batch.concat(List.of(
                                    PipelineTest.batch(pipeline, n, n),
                                    PipelineTest.batch(pipeline, -n, n),
                                    PipelineTest.batch(pipeline, 0, n)))));
                    pipeline.drain();
                    answer.get(60, TimeUnit.SECONDS);
                    System.out.println("acknowledged " + n);
                    if (n % 4 == 0) {
                        pipeline.seal();
                        pipeline.step(Stage.SORT);
                        pipeline.step(n % 20 == 0 ? Stage.AUTHORITY : Stage.MERGE);
                    }
                }
            }
            System.out.println("operations " + store.operations().get());
        }
    }

    private static JavaProcess.Result run(Path directory, long at, boolean before) {
        return JavaProcess.run(
                System.getProperty("java.class.path"),
                Main.class.getName(),
                directory.toString(),
                Long.toString(at),
                Boolean.toString(before));
    }

    private static long last(String output, String word) {
        return output.lines()
                .filter(line -> line.startsWith(word + " "))
                .mapToLong(line -> Long.parseLong(line.substring(word.length() + 1)))
                .max()
                .orElse(0);
    }

    @Test
    void aProcessThatHaltsAtASyncOrRenameLosesNothingAndLeavesNothingHalf(@TempDir Path root) throws IOException {
        long operations = last(run(root.resolve("whole"), 0, false).output(), "operations");
        assertThat(operations).isGreaterThan(COMMITS);
        long step = Depth.of((int) (operations / 6), 1);
        for (long at = 1; at <= operations; at += step) {
            for (boolean before : new boolean[] {true, false}) {
                Path directory = root.resolve(at + "-" + before);
                JavaProcess.Result result = run(directory, at, before);
                assertThat(result.exitCode()).as(result.output()).isEqualTo(HALTED);
                check(directory, last(result.output(), "acknowledged"), "operation " + at + ", before: " + before);
            }
        }
    }

    private static void check(Path directory, long acknowledged, String when) throws IOException {
        try (Pipeline pipeline = PipelineTest.open(new LocalStore(directory), PipelineSettings.manual(15, 16))) {
            Map<Long, Long> rows = new TreeMap<>(PipelineTest.rows(pipeline, 0));
            long last = rows.getOrDefault(0L, 0L);
            assertThat(last).as(when).isBetween(acknowledged, acknowledged + 1);
            var expected = new TreeMap<Long, Long>();
            for (long n = 1; n <= last; n++) {
                expected.put(n, n);
                expected.put(-n, n);
                expected.put(0L, n);
            }
            assertThat(rows).as(when).isEqualTo(expected);
            // The second view is added after the table; a halt in between leaves it out, and nothing was acknowledged
            // yet.
            boolean hasBoth = pipeline.catalog().table("t").views().size() == 2;
            assertThat(hasBoth || acknowledged == 0).as(when).isTrue();
            if (hasBoth) {
                assertThat(PipelineTest.rows(pipeline, 1)).as(when).isEqualTo(rows);
            }
        }
    }
}
