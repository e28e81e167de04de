package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.autotune.Tuning.Algorithm;
import io.leeway.autotune.Tuning.Feature;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TuningTest {

    private static final List<KnobSpec> KNOBS =
            List.of(KnobSpec.size("threads", 2, 64, ""), KnobSpec.real("ratio", 0, 1, ""));
    private static final Setting START = new Setting(Map.of("threads", KnobValue.of(4), "ratio", KnobValue.of(0.5)));
    private static final List<Feature> FEATURES = List.of(new Feature("rps", 0, 1_000));
    private static final Map<String, Double> CONTEXT = Map.of("rps", 700.0);

    private static double reward(Setting setting) {
        double x = KNOBS.get(0).toUnit(setting.values().get("threads")) - 0.6;
        double y = KNOBS.get(1).toUnit(setting.values().get("ratio")) - 0.3;
        return -(10 + 100 * (x * x + y * y));
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void comesNearTheOptimum(Algorithm algorithm) {
        var tuning = Tuning.create(KNOBS, START, algorithm, FEATURES, 5);
        for (int i = 0; i < 300; i++) {
            Tuning.Prediction prediction = tuning.predict(CONTEXT);
            tuning.setReward(prediction.requestId(), reward(prediction.setting()));
        }

        assertThat(reward(tuning.best(CONTEXT)))
                .isGreaterThan(reward(START) / 1.2)
                .isGreaterThan(-14);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void goesOnWhereItEnded(Algorithm algorithm) {
        var tuning = Tuning.create(KNOBS, START, algorithm, FEATURES, 5);
        var restarted = Tuning.create(KNOBS, START, algorithm, FEATURES, 5);
        for (int i = 0; i < 25; i++) {
            restarted = Tuning.fromJson(restarted.toJson());
            Tuning.Prediction one = tuning.predict(CONTEXT);
            Tuning.Prediction other = restarted.predict(CONTEXT);
            restarted = Tuning.fromJson(restarted.toJson());

            assertThat(other).isEqualTo(one);

            tuning.setReward(one.requestId(), reward(one.setting()));
            restarted.setReward(other.requestId(), reward(other.setting()));
        }
    }

    @Test
    void lateDoubleAndForeignRewardsLeaveItAsItIs() {
        var tuning = Tuning.create(KNOBS, START, Algorithm.HYBRID, List.of(), 5);
        Tuning.Prediction first = tuning.predict(Map.of());
        Tuning.Prediction second = tuning.predict(Map.of());
        assertThat(tuning.setReward(first.requestId(), -5)).isTrue();
        String state = tuning.toJson();

        assertThat(tuning.setReward(second.requestId(), -99)).isFalse();
        assertThatThrownBy(() -> tuning.setReward(first.requestId(), -5)).hasMessageContaining("AUTOTUNE-4002");
        assertThatThrownBy(() -> tuning.setReward("77", -5)).hasMessageContaining("AUTOTUNE-4002");
        assertThatThrownBy(() -> tuning.setReward("77", Double.NaN)).hasMessageContaining("AUTOTUNE-1004");
        assertThat(tuning.rounds()).isEqualTo(1);
        assertThat(state).contains("\"" + second.requestId() + "\"");
    }

    @Test
    void wordsAreChosenByTheirReward() {
        var knobs =
                List.of(KnobSpec.choice("policy", List.of("slow", "fast", "medium"), ""), KnobSpec.real("x", 0, 1, ""));
        var start = new Setting(Map.of("policy", KnobValue.of("slow"), "x", KnobValue.of(0.5)));
        var tuning = Tuning.create(knobs, start, Algorithm.HYBRID, List.of(), 3);
        for (int i = 0; i < 600; i++) {
            Tuning.Prediction prediction = tuning.predict(Map.of());
            String word = prediction.setting().values().get("policy").toString();
            tuning.setReward(prediction.requestId(), "fast".equals(word) ? -10 : "medium".equals(word) ? -15 : -20);
        }

        assertThat(tuning.best(Map.of()).values()).containsEntry("policy", KnobValue.of("fast"));
    }

    @Test
    void rewardsOfAnyScaleDoNotOverflow() {
        var knobs = List.of(KnobSpec.choice("policy", List.of("a", "b"), ""), KnobSpec.real("x", 0, 1, ""));
        var start = new Setting(Map.of("policy", KnobValue.of("a"), "x", KnobValue.of(0.5)));
        var tuning = Tuning.create(knobs, start, Algorithm.HYBRID, List.of(), 3);
        double[] rewards = {0, 1e6, -1e6, 1e-300, 1e300, -1e300, 7, 0};
        for (int i = 0; i < 400; i++) {
            Tuning.Prediction prediction = tuning.predict(Map.of());
            tuning.setReward(prediction.requestId(), rewards[i % rewards.length]);
            double x = prediction.setting().values().get("x").number();
            assertThat(x).isBetween(0.0, 1.0);
        }
    }

    @Test
    void refusesWordsWhereOnlyNumbersAreLearnt() {
        var knobs = List.of(KnobSpec.choice("policy", List.of("a", "b"), ""));
        var start = new Setting(Map.of("policy", KnobValue.of("a")));

        assertThatThrownBy(() -> Tuning.create(knobs, start, Algorithm.BLUEFIN, List.of(), 1))
                .hasMessageContaining("AUTOTUNE-1004");
    }
}
