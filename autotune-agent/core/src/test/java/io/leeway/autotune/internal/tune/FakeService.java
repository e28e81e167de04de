package io.leeway.autotune.internal.tune;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.Window;
import io.leeway.autotune.spi.TunedService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/** A service whose p95 is a function of its setting, with noise. */
final class FakeService implements TunedService {

    private final List<KnobSpec> knobs;
    private final ToDoubleFunction<Setting> p95;
    private final RandomGenerator random;
    private final double noise;
    final List<Setting> applied = new ArrayList<>();
    private Setting present;
    private Setting kept;
    boolean failsFast;
    String refused = "";
    String neverLess = "";
    double warming = 1;

    FakeService(
            List<KnobSpec> knobs, Setting start, ToDoubleFunction<Setting> p95, RandomGenerator random, double noise) {
        this.knobs = knobs;
        this.present = start;
        this.kept = start;
        this.p95 = p95;
        this.random = random;
        this.noise = noise;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public List<KnobSpec> knobs() {
        return knobs;
    }

    @Override
    public Setting read() {
        return present;
    }

    @Override
    public void apply(Setting changes) {
        if (changes.values().containsKey(refused)) {
            throw AutoTuneError.REFUSED.because(refused);
        }
        KnobValue asked = changes.values().get(neverLess);
        if (asked != null && asked.number() < present.get(neverLess).number()) {
            throw AutoTuneError.NOT_OBSERVED.because(neverLess);
        }
        present = present.with(changes);
        applied.add(present);
    }

    @Override
    public void keep() {
        kept = present;
    }

    @Override
    public void restore() {
        present = kept;
    }

    @Override
    public Window measure(double seconds, Predicate<Window> goOn) {
        warming = 1 + (warming - 1) / 3;
        double latency = p95.applyAsDouble(present) * warming * Math.exp(noise * random.nextGaussian());
        boolean starved =
                failsFast && present.values().values().stream().anyMatch(value -> value.equals(KnobValue.of(2)));
        return new Window(
                seconds,
                (long) (100 * seconds),
                starved ? (long) (90 * seconds) : 0,
                latency / 2,
                starved ? 1 : latency,
                latency * 2,
                latency / 2,
                10,
                0.3,
                0);
    }

    static Setting setting(String name, double value) {
        return new Setting(Map.of(name, KnobValue.of(value)));
    }
}
