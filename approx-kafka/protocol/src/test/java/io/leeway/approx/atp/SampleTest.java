package io.leeway.approx.atp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.approx.atp.AtpConfig.Selection;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SampleTest {

    private static final int MESSAGES = 400;
    private static final AtpConfig CONFIG = AtpConfig.simulated(1.25e8, 1_000)
            .initialRtt(100_000)
            .minEpoch(50_000)
            .minLossDelay(100_000);

    /** Sizes of which a few hold most of the bytes. */
    private static int size(RandomGenerator random) {
        return (int) Math.min(60_000, 200 / Math.pow(random.nextDouble(), 1.1));
    }

    private static JobReport.Group window(AtpConfig config, double msr, boolean exact, RandomGenerator random) {
        FakeLink link = new FakeLink(
                config.seed(random.nextLong()), new FakeLink.Weather(0.25, 0.1, 0, 50_000, 0, 1e8), random);
        link.sender.open(JobSpec.of(1, new GroupSpec(0, msr, exact ? MESSAGES : 0, exact)));
        for (int i = 0; i < MESSAGES; i++) {
            link.sender.offer(1, 0, size(random), (long) i, 0);
        }
        link.sender.end(1, 0);
        assertThat(link.run(5_000_000)).isTrue();
        return link.closed.get(1).groups().get(0);
    }

    /** The mean of z over many windows; around 0 with a standard error of 1/sqrt(n) if the sample is a simple random one. */
    private static double meanZ(AtpConfig config, boolean exact, int windows) {
        RandomGenerator random = Seeds.random("sample " + config.selection() + exact);
        double sum = 0;
        for (int i = 0; i < windows; i++) {
            sum += window(config, 0.5, exact, random).biasZ();
        }
        return sum / windows;
    }

    @Test
    void sizesOfWhatArrivesAreThoseOfAll() {
        int windows = Depth.of(60, 1_000);
        double bound = 4 / Math.sqrt(windows);
        assertThat(meanZ(CONFIG, true, windows)).isCloseTo(0, within(bound));
        assertThat(meanZ(CONFIG, false, windows)).isCloseTo(0, within(bound));
    }

    @Test
    void thePapersChoiceFavoursSmallMessagesAndTheReportSaysSo() {
        assertThat(meanZ(CONFIG.selection(Selection.ANY), true, 10)).isLessThan(-3);
    }

    @Test
    void aSampleOfKnownSizeIsExactlyWhatIsNeeded() {
        JobReport.Group group = window(CONFIG, 0.3, true, new Random(7));
        assertThat(group.delivered()).isEqualTo(GroupSpec.need(0.3, MESSAGES));
        assertThat(group.sent()).isEqualTo(group.delivered());
    }

    @Test
    void aSampleOfUnknownSizeIsHardlyMore() {
        JobReport.Group group = window(CONFIG, 0.3, false, new Random(8));
        assertThat(group.delivered()).isBetween(120L, 160L);
    }

    @Test
    void theSameKeysAreTheSameSample() {
        List<Integer> first = sampleByKeys(0.4);
        assertThat(sampleByKeys(0)).isEqualTo(first).hasSizeGreaterThan(100);
    }

    private static List<Integer> sampleByKeys(double loss) {
        FakeLink link = new FakeLink(CONFIG, new FakeLink.Weather(loss, 0, 0, 50_000, 0, 1e8), new Random(1));
        link.sender.open(JobSpec.of(1, GroupSpec.open(0, 0.5, 0)));
        for (int i = 0; i < 300; i++) {
            link.sender.offer(1, 0, 100, 70_000L + i, (long) i, 0);
        }
        link.sender.end(1, 0);
        assertThat(link.run(1_000_000)).isTrue();
        return link.delivered.get("1/0").stream().sorted().toList();
    }

    @Test
    void ranksAreUniform() {
        int[] tens = new int[10];
        for (int i = 0; i < 100_000; i++) {
            tens[(int) (Ranks.rank(42, 1, 2, i) * 10)]++;
        }
        double chiSquare = 0;
        for (int count : tens) {
            chiSquare += Math.pow(count - 10_000, 2) / 10_000;
        }
        // The 99.9 % quantile with nine degrees of freedom.
        assertThat(chiSquare).isLessThan(27.9);
    }

    @Test
    void aPromiseIsRaisedOnlyWhileNothingWasLetGo() {
        FakeLink link = new FakeLink(CONFIG, new FakeLink.Weather(0.2, 0, 0, 50_000, 0, 1e8), new Random(3));
        link.sender.open(JobSpec.of(1, GroupSpec.exactly(0, 0.3, 100), GroupSpec.open(1, 0.1, 0)));
        for (int i = 0; i < 50; i++) {
            link.sender.offer(1, 0, 100, (long) i, 0);
        }
        for (int i = 0; i < 1_000; i++) {
            link.sender.offer(1, 1, 100, (long) i, 0);
        }
        assertThat(link.sender.setMsr(1, 0, 0.6, 0)).isTrue();
        assertThat(link.sender.setMsr(1, 1, 0.9, 0)).isFalse();
        assertThat(link.sender.setMsr(1, 1, 0.05, 0)).isTrue();
        for (int i = 50; i < 100; i++) {
            link.sender.offer(1, 0, 100, (long) i, 0);
        }
        link.sender.end(1, 0);
        assertThat(link.run(1_000_000)).isTrue();
        assertThat(link.closed.get(1).groups().get(0).delivered()).isGreaterThanOrEqualTo(60);
        assertThat(link.closed.get(1).kept()).isTrue();
    }
}
