package io.leeway.benchmarks.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class YcsbTest {

    private static final int KEYS = 50;
    private static final Duration TIME = Duration.ofMillis(300);

    /** Rows by key in memory, found by value by looking at all. */
    private static final class MemoryStore implements Store {

        private final Map<String, String> values;
        private final AtomicInteger open;
        private final AtomicInteger put = new AtomicInteger();
        private final boolean isForgetful;

        MemoryStore(boolean isForgetful) {
            this(new ConcurrentHashMap<>(), new AtomicInteger(), isForgetful);
            new Rows(1, KEYS, 0).all().forEach(row -> values.put(row.key(), row.value()));
        }

        private MemoryStore(Map<String, String> values, AtomicInteger open, boolean isForgetful) {
            this.values = values;
            this.open = open;
            this.isForgetful = isForgetful;
        }

        @Override
        public String name() {
            return "memory";
        }

        @Override
        public Usage usage() {
            return Usage.of(ProcessHandle.current());
        }

        @Override
        public Store session() {
            open.incrementAndGet();
            return new MemoryStore(values, open, isForgetful);
        }

        @Override
        public void put(List<Row> rows) {
            if (!isForgetful || put.getAndIncrement() % 10 != 9) {
                rows.forEach(row -> values.put(row.key(), row.value()));
            }
        }

        @Override
        public int readValue(String value) {
            return (int) values.values().stream().filter(value::equals).count();
        }

        @Override
        public boolean readKey(String key) {
            return values.containsKey(key);
        }

        @Override
        public void settle() {}

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    private static Load load(int readPercent) {
        return new Load(3, readPercent, false, 0, TIME);
    }

    @Test
    void readsFindWhatWasWrittenWhileOthersWrite() throws Exception {
        var store = new MemoryStore(false);

        Ycsb.Outcome outcome = Ycsb.run(store, new KnownRows(KEYS, 0), load(50));

        assertThat(outcome.reads().count()).isPositive();
        assertThat(outcome.writes().count()).isPositive();
        // Drawn one by one.
        assertThat((double) outcome.reads().count() / outcome.operations()).isBetween(0.3, 0.7);
        assertThat(store.open).hasValue(0);
    }

    @Test
    void allAreReadsOrAllAreWrites() throws Exception {
        assertThat(Ycsb.run(new MemoryStore(false), new KnownRows(KEYS, 0), load(100))
                        .writes()
                        .count())
                .isZero();
        assertThat(Ycsb.run(new MemoryStore(false), new KnownRows(KEYS, 0), load(0))
                        .reads()
                        .count())
                .isZero();
    }

    @Test
    void aRowThatIsNotFoundIsNoticed() {
        var store = new MemoryStore(true);

        assertThatThrownBy(() -> Ycsb.run(store, new KnownRows(KEYS, 0), load(50).during(Duration.ofMinutes(1))))
                .hasMessageContaining("instead of one");
        assertThat(store.open).hasValue(0);
    }

    @Test
    void noMoreIsDoneThanIsAskedFor() throws Exception {
        Ycsb.Outcome outcome =
                Ycsb.run(new MemoryStore(false), new KnownRows(KEYS, 0), new Load(2, 0, false, 100, TIME));

        assertThat((double) outcome.operations()).isBetween(1.0, 100 * outcome.seconds() + 2);
    }
}
