package io.leeway.hindex.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.internal.read.MetEntries.Report;
import org.junit.jupiter.api.Test;

class MetEntriesTest {

    private final MetEntries met = new MetEntries();

    @Test
    void aRegionIsToldOnceOfAllThatWasMet() {
        met.add("one", new Report(3, 0));
        met.add("one", new Report(1, 2));
        met.add("other", new Report(0, 7));

        assertThat(met.take("one")).isEqualTo(new Report(4, 2));
        assertThat(met.take("one")).isNull();
        assertThat(met.take("other")).isEqualTo(new Report(0, 7));
    }

    @Test
    void whereNothingIsObsoleteItIsToldSeldom() {
        met.add("one", new Report(999, 0));
        assertThat(met.take("one")).isNull();
        met.add("one", new Report(1, 0));

        assertThat(met.take("one")).isEqualTo(new Report(1_000, 0));
    }

    @Test
    void onlyWhatIsAReportIsRead() {
        assertThat(Report.parse(new Report(4, 2).toBytes())).isEqualTo(new Report(4, 2));
        assertThat(Report.parse(new byte[0])).isNull();
        assertThat(Report.parse(new byte[9])).isNull();
        assertThat(Report.parse(new byte[] {-1, 0, 0, 0, 0, 0, 0, 1})).isNull();
        assertThat(Report.parse(new byte[] {0, 0, 0, 0, 127, -1, -1, -1})).isNull();
    }

    @Test
    void manyDoNotOverflow() {
        for (int i = 0; i < 4; i++) {
            met.add("one", new Report(1_000_000_000, 1_000_000_000));
        }

        assertThat(met.take("one")).isEqualTo(new Report(1_000_000_000, 1_000_000_000));
    }
}
