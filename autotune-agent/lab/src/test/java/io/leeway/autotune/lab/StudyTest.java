package io.leeway.autotune.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StudyTest {

    private static final Space MIXED = Space.of(
            List.of(
                    Parameter.integer("threads", 1, 256, 4),
                    Parameter.real("cpu", 0.25, 4, 0.5),
                    Parameter.categorical("collector", List.of("serial", "parallel", "g1", "zgc"), "serial"),
                    Parameter.integer("pauses", 10, 1_000, 200).when("collector", "g1"),
                    Parameter.ordered("memory", List.of("small", "medium", "large"), "small")),
            List.of(Constraint.parse("threads <= 64 * cpu")));

    /** 0 at 32 threads, 2 CPUs, g1 with pauses of 50, large. */
    private static double cost(Setting setting) {
        double threads = Math.log(setting.get("threads").number() / 32);
        double cpu = setting.get("cpu").number() - 2;
        double collector = setting.get("collector").toString().equals("g1")
                ? Math.abs(Math.log(setting.get("pauses").number() / 50)) / 4
                : 1;
        double memory = 2
                - List.of("small", "medium", "large")
                        .indexOf(setting.get("memory").toString());
        return threads * threads + cpu * cpu + collector + memory / 2;
    }

    private static Study run(Study study, int trials) {
        for (int i = 0; i < trials; i++) {
            Trial trial = study.ask();
            study.tell(trial.number(), cost(trial.setting()));
        }
        return study;
    }

    private static Study study(Method method, int budget, long seed) {
        return Study.of(
                MIXED, StudyOptions.defaults().with(method).budget(budget).seed(seed));
    }

    @ParameterizedTest
    @EnumSource(Method.class)
    void asksOnlyForConfigurationsThatKeepTheConstraintsAndStartsWithoutTuning(Method method) {
        Study study = run(study(method, 40, 3), 40);

        assertThat(study.trials().get(0).setting()).isEqualTo(MIXED.standard());
        assertThat(study.trials())
                .allSatisfy(trial -> assertThat(MIXED.checked(trial.setting())).isEqualTo(trial.setting()));
    }

    @ParameterizedTest
    @EnumSource(Method.class)
    void goesOnExactlyWhereAStudyThatWasReadEnded(Method method) {
        Study whole = run(study(method, 24, 5), 24);
        Study stored = run(study(method, 24, 5), 13);

        Study goesOn = run(Study.fromJson(stored.toJson()), 11);

        assertThat(goesOn.trials()).isEqualTo(whole.trials());
    }

    /** The median over seeds, so that one unlucky seed decides nothing. */
    private static double median(Method method, int seeds) {
        return java.util.stream.LongStream.rangeClosed(1, seeds)
                .mapToDouble(seed -> run(study(method, 40, seed), 40)
                        .bestTrial()
                        .orElseThrow()
                        .value())
                .sorted()
                .skip(seeds / 2)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"RANDOM", "CMAES"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyMethodBeatsRandomSearch(Method method) {
        assertThat(median(method, 7)).isLessThan(median(Method.RANDOM, 7));
    }

    /** Words have no covariance: what this method is for are numbers. */
    @Test
    void covarianceAdaptationBeatsRandomSearchOnNumbers() {
        assertThat(medianOnNumbers(Method.CMAES)).isLessThan(medianOnNumbers(Method.RANDOM));
    }

    private static double medianOnNumbers(Method method) {
        Space space = Space.of(
                Parameter.real("a", 0, 1, 0.5),
                Parameter.real("b", 0, 1, 0.5),
                Parameter.real("c", 0, 1, 0.5),
                Parameter.real("d", 0, 1, 0.5));
        return java.util.stream.LongStream.rangeClosed(1, 7)
                .mapToDouble(seed -> {
                    Study study = Study.of(
                            space,
                            StudyOptions.defaults().with(method).budget(60).seed(seed));
                    for (int i = 0; i < 60; i++) {
                        Trial trial = study.ask();
                        study.tell(
                                trial.number(),
                                trial.setting().values().values().stream()
                                        .mapToDouble(value -> Math.pow(value.number() - 0.8, 2))
                                        .sum());
                    }
                    return study.bestTrial().orElseThrow().value();
                })
                .sorted()
                .skip(3)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void failedTrialsAndBrokenLimitsAreNeverTheBestAndAreAvoided() {
        Study study = study(Method.GP, 40, 1);
        int failed = 0;
        for (int i = 0; i < 40; i++) {
            Trial trial = study.ask();
            if (trial.setting().get("memory").toString().equals("large")) {
                study.fail(trial.number(), "killed");
                failed++;
            } else if (trial.setting().get("cpu").number() > 3) {
                study.tell(trial.number(), new Trial.Complete(-100, Map.of("cost", 5.0), List.of("cost <= 3")));
                failed++;
            } else {
                study.tell(trial.number(), cost(trial.setting()));
            }
        }

        assertThat(study.bestTrial().orElseThrow().value()).isGreaterThanOrEqualTo(0);
        assertThat(failed).isLessThan(25);
    }

    @Test
    void asksForDifferentConfigurationsWhileTrialsRun() {
        Study study = run(study(Method.GP, 30, 1), 12);
        var running = new ArrayList<Setting>();
        for (int i = 0; i < 4; i++) {
            running.add(study.ask().setting());
        }

        assertThat(running).doesNotHaveDuplicates();
        study.tell(15, 1);
        study.tell(12, 2);
        assertThat(study.trials().get(13).outcome()).isInstanceOf(Trial.Running.class);
    }

    @Test
    void refusesValuesThatAreNoneAndTrialsThatDoNotRun() {
        Study study = study(Method.TPE, 5, 1);
        int number = study.ask().number();

        assertThatThrownBy(() -> study.tell(number, Double.NaN)).hasMessageContaining("AUTOTUNE-1003");
        assertThatThrownBy(() -> study.tell(7, 1)).hasMessageContaining("AUTOTUNE-4002");
        study.tell(number, 1);
        assertThatThrownBy(() -> study.tell(number, 1)).hasMessageContaining("AUTOTUNE-4002");
        assertThatThrownBy(() -> study.enqueue(MIXED.standard().with("threads", KnobValue.of(0))))
                .hasMessageContaining("threads is 1..256");
    }

    @Test
    void triesWhatWasEnqueuedFirst() {
        Study study = study(Method.TPE, 5, 1);
        Setting own = MIXED.standard().with("threads", KnobValue.of(9));
        study.enqueue(own);

        assertThat(study.ask().setting()).isEqualTo(own);
    }

    @Test
    void saysWhichParametersMatter() {
        Study study = Study.of(
                Space.of(
                        Parameter.real("strong", 0, 1, 0.5),
                        Parameter.real("weak", 0, 1, 0.5),
                        Parameter.real("dead", 0, 1, 0.5)),
                StudyOptions.defaults().with(Method.RANDOM).budget(80));
        for (int i = 0; i < 80; i++) {
            Trial trial = study.ask();
            double strong = trial.setting().get("strong").number();
            double weak = trial.setting().get("weak").number();
            study.tell(trial.number(), 10 * strong * strong + 4 * weak);
        }

        Map<String, Double> importances = study.importances();

        assertThat(importances.keySet()).containsExactly("strong", "weak", "dead");
        assertThat(importances.get("strong")).isGreaterThan(0.7);
        assertThat(importances.get("dead")).isLessThan(0.05);
    }

    @ParameterizedTest
    @EnumSource(Method.class)
    void theLargestNumbersThatAreToldForDisastersHideNothing(Method method) {
        Study study = study(method, 30, 2);
        for (int i = 0; i < 30; i++) {
            Trial trial = study.ask();
            if (i % 7 == 3) {
                study.fail(trial.number(), "killed");
            } else {
                study.tell(trial.number(), i % 5 == 2 ? Double.MAX_VALUE : i == 6 ? -1e308 : cost(trial.setting()));
            }
        }

        assertThat(study.trials())
                .allSatisfy(trial -> assertThat(MIXED.checked(trial.setting())).isEqualTo(trial.setting()));
        assertThat(study.importances().values())
                .allSatisfy(share -> assertThat(share).isBetween(0.0, 1.0));
        assertThat(study.bestTrial().orElseThrow().number()).isEqualTo(6);
    }
}
