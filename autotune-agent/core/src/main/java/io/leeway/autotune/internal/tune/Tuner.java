package io.leeway.autotune.internal.tune;

import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.Cost;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.Window;
import io.leeway.autotune.internal.learn.Careful;
import io.leeway.autotune.internal.learn.HybridBandits;
import io.leeway.autotune.internal.learn.Point;
import io.leeway.autotune.internal.learn.Selector;
import io.leeway.autotune.internal.tune.Round.Phase;
import io.leeway.autotune.internal.tune.Round.Verdict;
import io.leeway.autotune.spi.TunedService;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Tunes one running service: warm up, select, learn, verify.
 *
 * <p>Model: there is always an incumbent, the best setting that was measured, and the service is at the incumbent or
 * at one trial. <b>Select</b> changes one knob at a time, up and down, and goes on in a direction that helps (the
 * selector of OPPerTune, which keeps what it finds); <b>learn</b> runs HybridBandits on the knobs that matter, around
 * the incumbent, and never on what is foreseen to be bad; <b>verify</b> measures the first setting and the incumbent in turn on fresh windows, so that neither
 * the warm-up of the JVM nor a lucky window is taken for an effect.
 *
 * <p>Invariants: a trial that the guard objects to ends within about a second and its values are taken back; what stays
 * is the first setting unless another one won the verification; whatever is thrown, the service is restored to what
 * was last kept. Cost: about {@code 2 knobs + rounds + 2 pairs} windows. For one thread.
 */
public final class Tuner {

    /** A knob alone is moved by this share of its range, doubled while that helps. */
    private static final double PROBE = 0.15;

    private static final int WARM_UP_WINDOWS = 6;
    private static final double WARM = 0.05;

    /** After so many trials in vain the incumbent is measured again. */
    private static final int REMEASURE = 3;

    /** So many times the throughput before: a queue is being worked off. Measured again at most so often. */
    private static final double DRAINING = 1.2;

    private static final int DRAINS = 3;

    /** The verification takes so many times the pairs that were asked for if they do not agree. */
    private static final int MOST_PAIRS = 3;

    /** After so many seconds a window in which hardly anything finishes is given up. */
    private static final double PATIENCE = 3;

    private final TunedService service;
    private final Plan plan;
    private final Consumer<Round> log;
    private final BooleanSupplier stop;
    private final DoubleSupplier seconds;
    private final long seed;
    private final Pacing pacing;
    private final List<Round> rounds = new ArrayList<>();
    private final Map<String, List<Double>> effects = new LinkedHashMap<>();
    private Setting incumbent = new Setting(Map.of());
    private Window record = Window.empty(0);
    private int inVain;
    private boolean isDraining;

    /**
     * A run.
     *
     * @param log told each round when it is over
     * @param stop asked before each round; true goes to the verification
     * @param seconds a clock for the pacing of restarts
     */
    public Tuner(
            TunedService service,
            Plan plan,
            Consumer<Round> log,
            BooleanSupplier stop,
            DoubleSupplier seconds,
            long seed) {
        this.service = service;
        this.plan = plan;
        this.log = log;
        this.stop = stop;
        this.seconds = seconds;
        this.seed = seed;
        this.pacing = new Pacing(plan.restartsPerHour());
    }

    /** Runs to the end. */
    public Outcome run() {
        Setting first = service.read();
        try {
            service.keep();
            incumbent = first;
            List<Double> noise = warmUp();
            select();
            learn(noise);
            return verify(first);
        } catch (RuntimeException e) {
            service.restore();
            throw e;
        }
    }

    /** Windows until two in a row agree; returns the rewards of the last two, whose difference is the noise. */
    private List<Double> warmUp() {
        Window before = measure();
        for (int i = 1; i < WARM_UP_WINDOWS; i++) {
            Window now = measure();
            boolean warm = Math.abs(now.p50() - before.p50()) <= WARM * Math.max(now.p50(), before.p50());
            record = now;
            if (warm) {
                return List.of(-cost(before), -cost(now));
            }
            before = now;
        }
        return List.of(-cost(before), -cost(record));
    }

    private List<KnobSpec> knobs() {
        return service.knobs().stream()
                .filter(this::isChosen)
                .filter(knob -> incumbent.values().containsKey(knob.name())
                        || service.read().values().containsKey(knob.name()))
                .sorted(Comparator.comparing(KnobSpec::name))
                .toList();
    }

    /** Flags of the JVM trade memory for CPU time, not for latency: they are tuned only if they are named. */
    private boolean isChosen(KnobSpec knob) {
        return plan.only().isEmpty()
                ? !knob.name().startsWith("jvm.")
                : plan.only().stream().anyMatch(knob.name()::startsWith);
    }

    private void select() {
        for (KnobSpec knob : knobs()) {
            if (stop.getAsBoolean()) {
                return;
            }
            incumbent = service.read().with(incumbent);
            if (knob.isNumeric()) {
                if (!climb(knob, PROBE)) {
                    climb(knob, -PROBE);
                }
            } else {
                knob.choices().forEach(word -> trial(Phase.SELECT, incumbent.with(knob.name(), KnobValue.of(word))));
            }
        }
    }

    /** Moves a knob in one direction, further each time, as long as that is better. */
    private boolean climb(KnobSpec knob, double step) {
        boolean moved = false;
        for (double width = step; !stop.getAsBoolean(); width *= 2) {
            KnobValue present = incumbent.values().get(knob.name());
            if (present == null) {
                return moved;
            }
            KnobValue next = knob.fromUnit(knob.toUnit(present) + width);
            double before = cost(record);
            Optional<Window> after = trial(Phase.SELECT, incumbent.with(knob.name(), next));
            if (after.isEmpty()) {
                return moved;
            }
            effects.computeIfAbsent(knob.name(), name -> new ArrayList<>())
                    .add(Math.abs(cost(after.get()) - before) / Math.max(before, 1e-9));
            if (!incumbent.get(knob.name()).equals(next)) {
                return moved;
            }
            moved = true;
        }
        return moved;
    }

    /** How important each knob was found to be: the relative difference that it made alone; the most important first. */
    public List<Selector.Ranked> importance(List<Double> noise) {
        double scale = Math.max(1e-9, Math.abs(noise.get(noise.size() - 1)));
        List<Double> relative =
                noise.stream().map(x -> (x - noise.get(0)) / scale).toList();
        return Selector.rank(relative, effects);
    }

    private void learn(List<Double> noise) {
        List<String> chosen = importance(noise).stream()
                .limit(plan.knobs())
                .map(Selector.Ranked::name)
                .toList();
        List<KnobSpec> all = knobs();
        List<KnobSpec> numbers = all.stream()
                .filter(knob -> knob.isNumeric() && chosen.contains(knob.name()))
                // The most important first: what helps early is what every later round begins with.
                .sorted(Comparator.comparingInt(knob -> chosen.indexOf(knob.name())))
                .toList();
        List<KnobSpec> words = all.stream().filter(knob -> !knob.isNumeric()).toList();
        if (numbers.isEmpty() && words.isEmpty()) {
            return;
        }
        Point start = point(numbers, words);
        var learner = new Careful(
                new HybridBandits(plan.steps(), start, sizes(words), seed),
                start,
                Math.max(Double.MIN_NORMAL, cost(record)),
                Math.max(1.01, plan.guard().latencyFactor()));
        for (int i = 0; i < plan.rounds() && !stop.getAsBoolean(); i++) {
            Setting tried = setting(numbers, words, learner.propose());
            double before = cost(record);
            if (tried.changedFrom(incumbent).values().isEmpty()) {
                // Between two whole numbers: it is known what that costs.
                learner.paid(before);
            } else {
                learner.paid(trial(Phase.LEARN, tried)
                        .map(Tuner::cost)
                        .orElse(2 * plan.guard().latencyFactor() * before));
            }
        }
        if (!stop.getAsBoolean()) {
            trial(Phase.LEARN, setting(numbers, words, learner.centre()));
        }
    }

    private Point point(List<KnobSpec> numbers, List<KnobSpec> words) {
        double[] units = numbers.stream()
                .mapToDouble(knob -> knob.toUnit(incumbent.get(knob.name())))
                .toArray();
        int[] indexes = words.stream()
                .mapToInt(knob -> Math.max(
                        0, knob.choices().indexOf(incumbent.get(knob.name()).toString())))
                .toArray();
        return new Point(units, indexes);
    }

    private static int[] sizes(List<KnobSpec> words) {
        return words.stream().mapToInt(knob -> knob.choices().size()).toArray();
    }

    private Setting setting(List<KnobSpec> numbers, List<KnobSpec> words, Point point) {
        Setting setting = incumbent;
        for (int i = 0; i < numbers.size(); i++) {
            setting = setting.with(numbers.get(i).name(), numbers.get(i).fromUnit(point.numbers()[i]));
        }
        for (int i = 0; i < words.size(); i++) {
            setting = setting.with(
                    words.get(i).name(), KnobValue.of(words.get(i).choices().get(point.words()[i])));
        }
        return setting;
    }

    /** Tries a setting; it becomes the incumbent if it is better, else the incumbent's values are put back. */
    private Optional<Window> trial(Phase phase, Setting tried) {
        Setting changes = tried.changedFrom(incumbent);
        if (changes.values().isEmpty() || !mayRestart(changes)) {
            return Optional.empty();
        }
        String text = tried.changesFrom(incumbent);
        if (inVain >= REMEASURE || isDraining) {
            // The incumbent won by a window that may have been a lucky one or worked off a queue, and the load drifts.
            inVain = 0;
            Window before = record;
            record = measureFully();
            isDraining = isDraining && !isSteady(before, record);
        }
        try {
            service.apply(changes);
        } catch (AutoTuneException e) {
            tell(new Round(
                    rounds.size() + 1,
                    phase,
                    text,
                    tried,
                    record,
                    record,
                    Verdict.REFUSED,
                    String.valueOf(e.getMessage())));
            return Optional.empty();
        }
        boolean wasDraining = isDraining;
        Window after = measureDrained();
        Optional<String> objection = plan.guard().objection(record, after);
        boolean better = objection.isEmpty() && cost(after) < cost(record) * (1 - plan.minGain());
        Verdict verdict = better ? Verdict.KEPT : objection.isPresent() ? Verdict.GUARDED : Verdict.TAKEN_BACK;
        Window before = record;
        if (better) {
            service.keep();
            incumbent = incumbent.with(changes);
            record = after;
            inVain = 0;
        } else {
            isDraining = wasDraining;
            back(changes);
            inVain++;
        }
        tell(new Round(rounds.size() + 1, phase, text, tried, before, after, verdict, objection.orElse("")));
        return Optional.of(after);
    }

    private boolean mayRestart(Setting changes) {
        boolean restarts = service.knobs().stream()
                .anyMatch(knob -> knob.cost() != Cost.LIVE && changes.values().containsKey(knob.name()));
        return !restarts || pacing.take(seconds.getAsDouble());
    }

    /** Puts the incumbent's values back; all that were kept, if single ones are refused. */
    private void back(Setting changes) {
        var values = new LinkedHashMap<String, KnobValue>();
        changes.values().keySet().forEach(name -> {
            KnobValue value = incumbent.values().get(name);
            if (value != null) {
                values.put(name, value);
            }
        });
        try {
            service.apply(new Setting(values));
        } catch (AutoTuneException e) {
            service.restore();
        }
    }

    /** The first setting and the incumbent in turn, on fresh windows. */
    private Outcome verify(Setting first) {
        Setting best = incumbent;
        Setting changes = best.changedFrom(first);
        if (changes.values().isEmpty()) {
            return new Outcome(first, first, record, record, false, List.copyOf(rounds));
        }
        Setting undo = new Setting(Map.copyOf(first.changedFrom(best).values()));
        var olds = new ArrayList<Window>();
        var news = new ArrayList<Window>();
        int won = 0;
        for (int i = 0; i < MOST_PAIRS * plan.verifyPairs(); i++) {
            // Pairs that disagree are noise: more of them decide.
            if (i >= plan.verifyPairs() && (won == 0 || won == i)) {
                break;
            }
            try {
                service.apply(undo);
                olds.add(measureFully());
                service.apply(changes);
            } catch (AutoTuneException e) {
                return unverified(first, best, undo, e);
            }
            news.add(measureFully());
            won += cost(news.get(i)) < cost(olds.get(i)) ? 1 : 0;
        }
        Window before = Windows.joined(olds);
        Window after = Windows.joined(news);
        boolean accepted =
                plan.guard().objection(before, after).isEmpty() && cost(after) < cost(before) * (1 - plan.minGain());
        if (!accepted) {
            service.apply(undo);
        }
        service.keep();
        tell(new Round(
                rounds.size() + 1,
                Phase.VERIFY,
                best.changesFrom(first),
                accepted ? best : first,
                before,
                after,
                accepted ? Verdict.KEPT : Verdict.TAKEN_BACK,
                "on fresh windows"));
        return new Outcome(first, accepted ? best : first, before, after, accepted, List.copyOf(rounds));
    }

    /**
     * What is not seen to be in place cannot be compared with anything: the first values are put back, one by one, and
     * those that the host does not take stay what they are.
     */
    private Outcome unverified(Setting first, Setting best, Setting undo, AutoTuneException why) {
        undo.values().forEach((name, value) -> {
            try {
                service.apply(new Setting(Map.of(name, value)));
            } catch (AutoTuneException e) {
                // Said below.
            }
        });
        service.keep();
        Setting last = service.read();
        tell(new Round(
                rounds.size() + 1,
                Phase.VERIFY,
                best.changesFrom(first),
                last,
                record,
                record,
                Verdict.REFUSED,
                "could not be compared with the first setting: " + why.getMessage()));
        return new Outcome(first, last, record, record, false, List.copyOf(rounds));
    }

    private Window measure() {
        service.measure(plan.settleSeconds(), window -> true);
        return service.measure(plan.windowSeconds(), window -> record.requests() == 0 || !hopeless(window));
    }

    /**
     * A service that could not keep up has a queue from before the change. While more is finished than before, it may be
     * that queue, and the window says nothing about the setting: neither how slow it is, nor how much it can do. It is
     * measured again until two windows agree: then the queue is gone, or clients ask more of a faster service.
     */
    private Window measureDrained() {
        Window after = measure();
        isDraining = doesMoreThanBefore(after);
        for (int i = 0; i < DRAINS && isDraining; i++) {
            Window before = after;
            after = measure();
            isDraining = doesMoreThanBefore(after) && !isSteady(before, after);
        }
        return after;
    }

    private boolean doesMoreThanBefore(Window after) {
        return after.requests() >= plan.guard().minRequests() && after.throughput() > DRAINING * record.throughput();
    }

    private static boolean isSteady(Window before, Window after) {
        return isAlike(before.throughput(), after.throughput()) && isAlike(before.p50(), after.p50());
    }

    private static boolean isAlike(double one, double other) {
        return Math.max(one, other) <= DRAINING * Math.min(one, other);
    }

    private Window measureFully() {
        service.measure(plan.settleSeconds(), window -> true);
        return service.measure(plan.windowSeconds(), window -> true);
    }

    /** Whether a window can be given up early: there is enough to judge, or next to nothing is finished any more. */
    private boolean hopeless(Window window) {
        return (window.requests() >= plan.guard().minRequests() || window.seconds() >= PATIENCE)
                && plan.guard().early().objection(record, window).isPresent();
    }

    private void tell(Round round) {
        rounds.add(round);
        log.accept(round);
    }

    /** What is minimised: the p95, made worse by failed requests. */
    private static double cost(Window window) {
        return window.p95() * (1 + 10 * window.errorRate());
    }
}
