package io.leeway.netsim.internal.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ModelsTest {

    private static void check(Model model, int tensors, double gigabits) {
        assertThat(model.tensors()).hasSize(tensors);
        assertThat(model.bits() / 1e9).isCloseTo(gigabits, within(0.001));
    }

    @Test
    void haveThePublishedNumbersOfWeights() {
        assertThat(Models.vgg224().bits() / 32).isEqualTo(138_357_544);
        assertThat(Models.of("vgg-16").bits() / 32).isEqualTo(205_466_408);
        assertThat(Models.of("resnet-101").bits() / 32).isEqualTo(44_549_160);
        assertThat(Models.of("resnet-200").bits() / 32).isEqualTo(64_673_832);
        check(Models.of("vgg-16"), 32, 6.575);
        check(Models.of("resnet-101"), 314, 1.426);
        check(Models.of("resnet-200"), 611, 2.070);
        // The chapter's Inception is 6 % below the public 0.762.
        check(Models.of("inception-v3"), 190, 0.762 * 0.938);
    }

    @Test
    void growByModulesOfKnownSize() {
        double plain = Models.of("inception-v3").bits();
        double compute = (Models.grown(1, 0).bits() - plain) / 0.938 / 32;
        double network = (Models.grown(0, 1).bits() - plain) / 0.938 / 32;

        // Weights, and an offset of each convolution.
        assertThat(compute).isCloseTo(284_160 + 64 + 48 + 64 + 64 + 96 + 96 + 64, within(10.0));
        assertThat(network).isBetween(2_138_112.0, 2_138_112 + 2_000.0);
    }

    @Test
    void spendTheChaptersTimes() {
        Model vgg = Models.of("vgg-16");
        assertThat(vgg.forward()).isCloseTo(0.169, within(1e-6));
        assertThat(vgg.backward()).isCloseTo(0.024, within(1e-6));
        assertThat(vgg.faster(2).forward()).isCloseTo(0.169 / 2, within(1e-6));
    }
}
