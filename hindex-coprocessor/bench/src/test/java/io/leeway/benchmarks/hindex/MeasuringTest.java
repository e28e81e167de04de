package io.leeway.benchmarks.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.benchmarks.results.Series;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MeasuringTest {

    @Test
    void quantilesAreValuesThatWereMeasured() {
        var series = new Series();
        for (int i = 100; i >= 0; i--) {
            series.add(i);
        }

        assertThat(series.median()).isEqualTo(50);
        assertThat(series.quantile(0.99)).isEqualTo(99);
        assertThat(series.quantile(1)).isEqualTo(100);
    }

    @Test
    void nothingMeasuredIsNoFigure() {
        assertThatThrownBy(() -> new Series().median()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void usageOfAProcessGrowsWithItsWork() {
        ProcessHandle self = ProcessHandle.current();
        Usage before = Usage.of(self);

        // The system counts in steps of 10 ms.
        long end = System.nanoTime() + 10_000_000_000L;
        Usage used = Usage.of(self).since(before);
        while (used.cpuNanos() == 0 && System.nanoTime() < end) {
            used = Usage.of(self).since(before);
        }

        assertThat(used.cpuNanos()).isPositive();
        assertThat(used.bytesRead()).isPositive();
    }

    @Test
    void updatesHaveValuesThatWereNotThereBefore() {
        var rows = new Rows(1, 50, 3);

        List<Row> all = Stream.of(rows.all(), rows.updates(100), rows.updates(100))
                .flatMap(List::stream)
                .toList();

        assertThat(new HashSet<>(all.stream().map(Row::value).toList())).hasSize(250);
        assertThat(new HashSet<>(all.stream().map(Row::key).toList())).hasSize(50);
    }

    @Test
    void everyStoreIsGivenTheSameRows() {
        assertThat(new Rows(7, 20, 1).updates(30)).isEqualTo(new Rows(7, 20, 1).updates(30));
    }
}
