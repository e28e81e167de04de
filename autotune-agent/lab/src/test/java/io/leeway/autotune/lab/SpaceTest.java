package io.leeway.autotune.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpaceTest {

    private static final Space SPACE = Space.of(
            List.of(
                    Parameter.categorical("collector", List.of("serial", "g1", "zgc"), "g1"),
                    Parameter.integer("pauses", 10, 500, 200).when("collector", "g1"),
                    Parameter.integer("front.heap", 64, 1_024, 256),
                    Parameter.integer("back.heap", 64, 1_024, 256),
                    Parameter.ordered("size", List.of("small", "medium", "large"), "medium"),
                    Parameter.real("share", 0, 1, 0.5)),
            List.of(Constraint.parse("front.heap + back.heap <= 0.8 * 1600")));

    @Test
    void everyPointIsAConfigurationAndSnappingKeepsIt() {
        var random = Seeds.random("space");
        for (int i = 0; i < Depth.of(500, 100_000); i++) {
            double[] point = random.doubles(SPACE.size()).toArray();
            Setting setting = SPACE.setting(point);

            assertThat(SPACE.setting(SPACE.snap(point)).values().keySet())
                    .isEqualTo(setting.values().keySet());
            setting.values().forEach((name, value) -> SPACE.parameter(name).checked(value));
            assertThat(setting.values().containsKey("pauses"))
                    .isEqualTo(setting.get("collector").toString().equals("g1"));
        }
    }

    @Test
    void pointsOfTheSameConfigurationAreTheSameAfterSnapping() {
        double[] one = SPACE.standardPoint();
        double[] other = one.clone();
        one[0] = 0.01;
        other[0] = 0.3;
        one[1] = 0.2;
        other[1] = 0.9;

        assertThat(SPACE.snap(one)).isEqualTo(SPACE.snap(other));
    }

    @Test
    void constraintsHoldOrNotAndIgnoreWhatIsNotThere() {
        var constraint = Constraint.parse("2 * (a + b) - c / 4 < 10");

        assertThat(constraint.holds(Map.of("a", KnobValue.of(1), "b", KnobValue.of(2), "c", KnobValue.of(4))))
                .isTrue();
        assertThat(constraint.holds(Map.of("a", KnobValue.of(4), "b", KnobValue.of(2), "c", KnobValue.of(4))))
                .isFalse();
        assertThat(constraint.holds(Map.of("a", KnobValue.of(400), "b", KnobValue.of(2))))
                .isTrue();
    }

    @Test
    void refusesConstraintsThatAreNone() {
        for (String wrong : List.of("a +", "a", "a <= b <= c", "(a <= b", "a <= $", "", "1 1 <= a")) {
            assertThatThrownBy(() -> Constraint.parse(wrong)).as(wrong).hasMessageContaining("AUTOTUNE-1002");
        }
    }

    @Test
    void tellsAllFaultsOfASpaceAtOnce() {
        assertThatThrownBy(() -> Space.of(
                        List.of(
                                Parameter.real("a", 0, 1, 0).when("b", "x"),
                                Parameter.real("a", 0, 1, 0),
                                Parameter.categorical("b", List.of("x"), "x")),
                        List.of(Constraint.parse("c <= b"))))
                .hasMessageContaining("a depends on b")
                .hasMessageContaining("a comes twice")
                .hasMessageContaining("names c")
                .hasMessageContaining("names b, which is no number");
    }

    @Test
    void tellsAConditionOnAValueThatNeverIs() {
        var collector = Parameter.categorical("collector", List.of("g1", "zgc"), "g1");

        assertThatThrownBy(() -> Space.of(
                        collector,
                        Parameter.integer("pause", 1, 200, 50).when("collector", "g1", "G1"),
                        Parameter.integer("cores", 1, 8, 2),
                        Parameter.integer("queue", 1, 9, 2).when("cores", "16")))
                .hasMessageContaining("pause depends on collector being G1, which it never is: g1|zgc")
                .hasMessageContaining("queue depends on cores being 16, which it never is: 1..8");

        Space space = Space.of(
                collector.of("back"),
                Parameter.integer("pause", 1, 200, 50).of("front").when("collector", "g1", "zgc"));
        assertThat(space.of(List.of("front")).parameters()).hasSize(2);
    }

    @Test
    void keepsWhatConstraintsNeedWhenServicesAreLeftOut() {
        Space space = Space.of(
                List.of(
                        Parameter.integer("front.heap", 64, 1_024, 256).of("front"),
                        Parameter.integer("back.heap", 64, 1_024, 512).of("back"),
                        Parameter.integer("back.threads", 1, 8, 2).of("back")),
                List.of(Constraint.parse("front.heap + back.heap <= 1024")));

        Space reduced = space.of(List.of("front"));

        assertThat(reduced.parameters()).extracting(Parameter::name).containsExactly("front.heap", "back.heap");
        assertThat(reduced.setting(new double[] {0, 1}).get("back.heap")).isEqualTo(KnobValue.of(512));
    }

    @Test
    void stepsLieOnTheirGrid() {
        var parameter = new Parameter(
                "m", "", Parameter.Kind.INTEGER, 64, 20_000, 1_000, false, List.of(), KnobValue.of(64), null);

        for (double u = 0; u <= 1; u += 0.01) {
            double value = parameter.value(u).number();
            assertThat((value - 64) % 1_000).isZero();
            assertThat(value).isBetween(64.0, 20_000.0);
        }
    }
}
