package io.leeway.approx.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.approx.ApproxException;
import io.leeway.approx.WindowReport;
import io.leeway.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@EnabledForJreRange(max = JRE.JAVA_21, disabledReason = "DataSketches refuses later ones")
class WindowSketchesTest {

    private static WindowReport report(WindowSketches sketches, long records) {
        String text = sketches == null ? "" : Base64.getEncoder().encodeToString(sketches.toBytes());
        return new WindowReport(
                "trips",
                0,
                10,
                "all",
                "s/1",
                0.01,
                records,
                10,
                1_000,
                10,
                0,
                0,
                0,
                0,
                Double.NaN,
                Double.NaN,
                0,
                text,
                0,
                "");
    }

    @Test
    void quantilesDistinctKeysAndFrequentKeysAreThoseOfAllRecordsWithinTheirBounds() {
        RandomGenerator random = Seeds.random("sketches");
        int records = 50_000;
        WindowSketches[] producers = {new WindowSketches(), new WindowSketches()};
        for (int i = 0; i < records; i++) {
            // Every tenth record is of one of three keys, the rest of keys that occur once.
            String key = i % 10 == 0 ? "often-" + i / 10 % 3 : "once-" + i;
            producers[random.nextInt(2)].update(key.getBytes(StandardCharsets.UTF_8), i);
        }
        WindowReport first = report(producers[0], records / 2);
        WindowReport second = report(producers[1], records / 2);
        assertThat(first.toJson().length()).isLessThan(60_000);
        WindowSketches all = WindowSketches.of(List.of(WindowReport.fromJson(first.toJson()), second));

        assertThat(all.quantile(0).value()).isZero();
        assertThat(all.quantile(1).value()).isEqualTo(records - 1);
        Estimate median = all.quantile(0.5);
        assertThat(median.covers(records / 2.0)).isTrue();
        assertThat(median.halfWidth()).isLessThan(records * 0.03);
        double distinct = records * 0.9 + 3;
        assertThat(all.distinctKeys().value()).isBetween(distinct * 0.85, distinct * 1.15);
        List<WindowSketches.Heavy> frequent = all.frequentKeys(3);
        assertThat(frequent).extracting(WindowSketches.Heavy::key).allMatch(key -> key.startsWith("often-"));
        assertThat(frequent)
                .allSatisfy(heavy ->
                        assertThat((double) records / 30).isBetween((double) heavy.low(), (double) heavy.high() + 1));
    }

    @Test
    void fewDistinctKeysAreCountedExactly() {
        WindowSketches few = new WindowSketches();
        for (int i = 0; i < 10_000; i++) {
            few.update(("key " + i % 700).getBytes(StandardCharsets.UTF_8), Double.NaN);
        }
        few.update(null, Double.NaN);
        Estimate distinct = WindowSketches.of(List.of(report(few, 10_001))).distinctKeys();
        assertThat(distinct.value()).isEqualTo(700);
        assertThat(distinct.confidence()).isEqualTo(1);
        assertThatThrownBy(() -> few.quantile(0.5)).hasMessageContaining("APPROX-301");
    }

    @Test
    void aReportWithoutSketchesIsNotTakenForOneWithoutKeys() {
        WindowReport without = report(null, 10);
        assertThatThrownBy(() -> WindowSketches.of(List.of(without)))
                .isInstanceOf(ApproxException.class)
                .hasMessageContaining("approx.sketches=on");
    }

    @Test
    void whatIsDamagedIsRefused() {
        RandomGenerator random = Seeds.random("damaged");
        WindowSketches some = new WindowSketches();
        for (int i = 0; i < 5_000; i++) {
            some.update(("key " + i).getBytes(StandardCharsets.UTF_8), i);
        }
        byte[] good = some.toBytes();
        for (int i = 0; i < 2_000; i++) {
            byte[] bad = java.util.Arrays.copyOf(good, random.nextInt(good.length));
            assertThatThrownBy(() -> new WindowSketches().merge(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
