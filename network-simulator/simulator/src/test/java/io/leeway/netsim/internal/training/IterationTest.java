package io.leeway.netsim.internal.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class IterationTest {

    private static final double RATE = 25e9;

    private static double seconds(String model, Cluster cluster, Mechanism mechanism) {
        return Iteration.run(Models.of(model), cluster, mechanism).seconds();
    }

    private static double speedup(String model, Mechanism mechanism) {
        Cluster cluster = Cluster.of(32, RATE);
        return seconds(model, cluster, Mechanism.BASELINE) / seconds(model, cluster, mechanism);
    }

    private static void speedups(String model, double band, double... published) {
        Mechanism[] order = {
            Mechanism.AGGREGATION,
            Mechanism.MULTICAST,
            Mechanism.BOTH,
            Mechanism.RING,
            Mechanism.RING_MULTICAST,
            Mechanism.BUTTERFLY
        };
        for (int i = 0; i < order.length; i++) {
            assertThat(speedup(model, order[i]))
                    .as(model + " " + order[i])
                    .isCloseTo(published[i], Percentage.withPercentage(band));
        }
    }

    @Test
    void speedsUpVggAsPublished() {
        speedups("vgg-16", 4, 1.89, 1.94, 22.0, 24.6, 24.6, 11.3);
    }

    @Test
    void speedsUpTheOthersAsPublished() {
        speedups("resnet-101", 10, 1.65, 1.79, 6.07, 6.55, 6.71, 6.46);
        speedups("resnet-200", 10, 1.65, 1.85, 6.7, 6.75, 6.76, 6.79);
        speedups("inception-v3", 10, 1.34, 1.69, 3.28, 3.35, 3.41, 3.41);
    }

    @Test
    void oneServerTakesWhatItsLinkCarries() {
        Model vgg = Models.of("vgg-16");
        double bound = 2 * 32 * vgg.bits() / RATE;

        assertThat(seconds("vgg-16", Cluster.of(32, RATE), Mechanism.BASELINE)).isBetween(bound * 0.999, bound * 1.02);
    }

    @Test
    void ringsTakeTheirClosedForms() {
        Model vgg = Models.of("vgg-16");
        double cut = 2.0 * 31 / 32 * vgg.bits() / RATE + vgg.forward();
        double whole = 2.0 * 31 * 169_869_312L * 32 / 10e9 + vgg.forward();

        assertThat(seconds("vgg-16", Cluster.of(32, RATE), Mechanism.RING)).isCloseTo(cut, within(0.02 * cut));
        assertThat(seconds("vgg-16", Cluster.of(32, 10e9).messaging(false), Mechanism.RING))
                .isCloseTo(whole, within(0.02 * whole))
                .isCloseTo(34.0, within(0.68));
    }

    @Test
    void butterflySendsEachParameterOnceARound() {
        Model vgg = Models.of("vgg-16");
        double bound = 5.0 * vgg.bits() / RATE + vgg.forward();

        assertThat(seconds("vgg-16", Cluster.of(32, RATE), Mechanism.BUTTERFLY)).isCloseTo(bound, within(0.03 * bound));
        assertThatThrownBy(() -> seconds("vgg-16", Cluster.of(12, RATE), Mechanism.BUTTERFLY))
                .hasMessageContaining("power of two");
    }

    @Test
    void theToyOfTheChapterTakesItsSeconds() {
        // Two workers; three operations of 3 s of computing and 3 s of network, the first of which the clock does not
        // see.
        long three = 3_000_000_000L;
        Model toy = new Model(
                "toy", List.of(new Tensor("c", 3, 0, three), new Tensor("b", 3, 0, three), new Tensor("a", 3, 0, 0)));
        Cluster cluster = Cluster.of(2, 1).segment(1);
        double plain = aggregation(toy, cluster, Mechanism.MULTICAST) + 3;
        double added = aggregation(toy, cluster.unit(Cluster.Unit.PACKET), Mechanism.BOTH) + 3;

        // The switch stores a segment of a second before it forwards: one second in either.
        assertThat(plain).isCloseTo(21 + 1, within(0.01));
        assertThat(added).isCloseTo(12 + 1, within(0.01));
    }

    private static double aggregation(Model model, Cluster cluster, Mechanism mechanism) {
        double distribution = 9 + 1;
        return Iteration.run(model, cluster, mechanism).seconds() - distribution;
    }

    @Test
    void severalServersHelpWhenThePlacementIsEven() {
        Cluster split = Cluster.of(32, RATE).servers(8, true);

        assertThat(seconds("vgg-16", split, Mechanism.BOTH)).isCloseTo(0.539, within(0.539 * 0.03));
        assertThat(seconds("vgg-16", Cluster.of(32, RATE), Mechanism.BOTH)).isCloseTo(0.765, within(0.765 * 0.04));
    }

    @Test
    void onePlacementVectorGivesTheValidationOfTheChapter() {
        // Eight workers at 5 Gbit/s; with 4 servers fc6 shares its server with fc7.
        Model vgg = Models.of("vgg-16");
        List<Integer> placement = IntStream.range(0, vgg.tensors().size())
                .map(i -> vgg.tensors().get(i).name().matches("fc[67]/weights") ? 0 : 1 + i % 3)
                .boxed()
                .toList();

        assertThat(seconds("vgg-16", Cluster.of(8, 5e9), Mechanism.BASELINE)).isCloseTo(21.0, within(0.42));
        assertThat(seconds("vgg-16", Cluster.of(8, 5e9).placement(4, placement), Mechanism.BASELINE))
                .isCloseTo(19.3, within(0.06 * 19.3));
    }

    @Test
    void blockDistributionComesCloseToAggregation() {
        double[][] published = {{10e9, 22.3, 21.7}, {100e9, 2.23, 2.27}};
        for (double[] row : published) {
            Cluster cluster = Cluster.of(32, row[0]);
            assertThat(seconds("vgg-16", cluster, Mechanism.AGGREGATION)).isCloseTo(row[1], within(row[1] * 0.02));
            assertThat(seconds("vgg-16", cluster, Mechanism.BLOCK)).isCloseTo(row[2], within(row[2] * 0.02));
        }
    }

    @Test
    void fasterProcessorsTurnTheRankingForResNet200() {
        Cluster cluster = Cluster.of(32, RATE);
        Model slow = Models.of("resnet-200");
        Model fast = slow.faster(6);
        double ring = Iteration.run(fast, cluster, Mechanism.RING).seconds();
        double both = Iteration.run(fast, cluster, Mechanism.BOTH).seconds();

        assertThat(both).isLessThan(ring);
    }

    @Test
    void everyBitIsSentAndReceived() {
        Model model = Models.of("resnet-101");
        long bits = model.bits();
        Iteration.Result baseline = Iteration.run(model, Cluster.of(4, RATE), Mechanism.BASELINE);
        Iteration.Result multicast = Iteration.run(model, Cluster.of(4, RATE), Mechanism.MULTICAST);
        Iteration.Result both = Iteration.run(model, Cluster.of(4, RATE), Mechanism.BOTH);

        assertThat(baseline.bitsUp()).isEqualTo(8 * bits).isEqualTo(baseline.bitsDown());
        assertThat(multicast.bitsUp()).isEqualTo(5 * bits);
        assertThat(multicast.bitsDown()).isEqualTo(8 * bits);
        assertThat(both.bitsUp()).isEqualTo(5 * bits).isEqualTo(both.bitsDown());
        assertThat(both.staggering()).isLessThan(1e-9);
        assertThat(baseline.staggering()).isPositive();
    }

    @Test
    void theSegmentHardlyMatters() {
        Cluster cluster = Cluster.of(4, RATE);
        for (Mechanism mechanism : Mechanism.values()) {
            double coarse = seconds("inception-v3", cluster.segment(8 * 64 * 1024), mechanism);
            double fine = seconds("inception-v3", cluster.segment(8 * 9_000), mechanism);
            assertThat(coarse).as(mechanism.key()).isCloseTo(fine, within(fine * 0.01));
        }
    }

    @Test
    void withoutTheBarrierIterationsOverlapAsTheChapterHasThem() {
        Cluster cluster = Cluster.of(32, RATE);
        double[][] published = {{1.53, 1.76}, {1.65, 1.65}, {1.17, 1.08}};
        List<String> models = List.of("vgg-16", "resnet-200", "resnet-101");
        for (int i = 0; i < models.size(); i++) {
            assertThat(2 * seconds(models.get(i), cluster, Mechanism.BOTH))
                    .isCloseTo(published[i][0], within(0.13 * published[i][0]));
            assertThat(2 * seconds(models.get(i), cluster.barrier(false), Mechanism.BOTH))
                    .isCloseTo(published[i][1], within(0.08 * published[i][1]));
        }
    }

    @Test
    void aSwitchThatForwardsMessagesNeedsLessMemory() {
        Cluster cluster = Cluster.of(8, RATE);
        Model vgg = Models.of("vgg-16");
        long whole = Iteration.run(vgg, cluster, Mechanism.BOTH).switchBits();
        long messages = Iteration.run(vgg, cluster.unit(Cluster.Unit.MESSAGE), Mechanism.BOTH)
                .switchBits();
        long packets = Iteration.run(vgg, cluster.unit(Cluster.Unit.PACKET), Mechanism.BOTH)
                .switchBits();

        assertThat(whole).isGreaterThan(5_000_000_000L);
        assertThat(messages).isLessThan(whole / 4);
        assertThat(packets).isLessThan(messages);
    }

    @Test
    void aSkewIsMetAsFarAsTensorsAllow() {
        for (double share : new double[] {0.33, 0.5, 0.918}) {
            Model model = Models.of(share > 0.9 ? "vgg-16" : "resnet-200");
            List<Integer> placement = Cluster.skewed(model, 4, share);
            long first = IntStream.range(0, placement.size())
                    .filter(i -> placement.get(i) == 0)
                    .mapToLong(i -> model.tensors().get(i).bits())
                    .sum();
            assertThat((double) first / model.bits()).isCloseTo(share, within(0.02));
        }
    }
}
