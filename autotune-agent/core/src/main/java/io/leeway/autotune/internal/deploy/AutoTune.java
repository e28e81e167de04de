package io.leeway.autotune.internal.deploy;

import io.leeway.autotune.internal.deploy.Step.Phase;
import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Orchestrator;
import io.leeway.autotune.spi.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * AutoTune (chapter 2): from a deployment that does, one on fewer servers that does as well.
 *
 * <p>Phase 1 reduces what does not hurt ({@link #clampdown}) and packs the tight allocations onto the fewest servers
 * that still do ({@link #pack}). Phase 2 gives what is left on each server to who is most impacted
 * ({@link #leftovers}) and moves resources from the less to the more sensitive ({@link #transfer}), by a discrete gradient:
 * the step is a share of a server's capacity, from 30 %, divided by 1.2 each time; binary search where a step went too
 * far, undone where it hurt.
 *
 * <p>Invariants: every reduction, placement and transfer was measured in turn with the deployment that it is compared
 * with; the result is the last deployment that was shown on fresh trials not to be worse than the first one by
 * more than the final tolerance, and the first one if there is none. Cost: trials; see {@link Result#trials}. For one
 * thread.
 */
public final class AutoTune {

    /**
     * How a run ended.
     *
     * @param first the deployment that it began with
     * @param last the one that is in place
     * @param ratio latency of the last by that of the first, on fresh trials
     * @param trials that it took
     * @param impacts of each MR, as last measured
     * @param steps what was done, for people
     */
    public record Result(
            Deployment first, Deployment last, double ratio, long trials, Map<Mr, Double> impacts, List<Step> steps) {}

    private static final int BISECTIONS = 3;

    private final Orchestrator orchestrator;
    private final Settings settings;
    private final Comparison comparison;
    private final Consumer<Step> journal;
    private final BooleanSupplier stop;
    private final Deployment first;
    private final Map<Mr, Double> impacts = new TreeMap<>(Comparator.comparing(Mr::toString));
    private final List<Step> steps = new ArrayList<>();

    /**
     * A run.
     *
     * @param first the deployment that does
     * @param journal told each step, so that a run that is killed can go on from its last
     * @param stop asked between trials; true goes to the final verification
     */
    public AutoTune(
            Orchestrator orchestrator,
            Settings settings,
            Deployment first,
            Consumer<Step> journal,
            BooleanSupplier stop) {
        this.orchestrator = orchestrator;
        this.settings = settings;
        this.comparison = new Comparison(orchestrator, settings);
        this.first = first;
        this.journal = journal;
        this.stop = stop;
    }

    /** Runs from the beginning. */
    public Result run() {
        return resume(new Step(Phase.CLAMPDOWN, first, settings.firstStep(), 0, "begins"));
    }

    /** Goes on from a step that a journal kept. */
    public Result resume(Step from) {
        try {
            Deployment tight = from.phase() == Phase.CLAMPDOWN ? clampdown(from) : from.deployment();
            boolean isPacked = from.phase().compareTo(Phase.PACK) > 0;
            Deployment packed = isPacked ? from.deployment() : pack(tight, 1);
            Deployment full = from.phase().compareTo(Phase.LEFTOVERS) <= 0 ? leftovers(packed) : from.deployment();
            Deployment moved = from.phase().compareTo(Phase.TRANSFER) <= 0 ? transfer(full) : from.deployment();
            Optional<Result> result = verified(List.of(moved, full, packed));
            while (result.isEmpty() && packed.servers() < first.servers() && !stop.getAsBoolean()) {
                // What was accepted by luck is not accepted twice: one server more may do.
                packed = pack(tight, packed.servers() + 1);
                full = leftovers(packed);
                result = verified(List.of(transfer(full), full, packed));
            }
            return result.isPresent() ? result.get() : done(first, 1);
        } catch (RuntimeException e) {
            orchestrator.deploy(first);
            throw e;
        }
    }

    /** Phase 1a. */
    Deployment clampdown(Step from) {
        Deployment present = from.deployment();
        double delta = from.delta();
        for (int i = from.iteration(); delta >= settings.lastStep() && !stop.getAsBoolean(); i++) {
            Deployment base = present;
            double step = delta;
            List<Mr> candidates = Stress.mrs(orchestrator).stream()
                    .filter(mr -> reduced(base, mr, step) < base.get(mr.instance(), mr.resource()))
                    .toList();
            Stress.Outcome outcome = new Stress(settings, i)
                    .all(candidates, group -> reduce(base, group, step), this::comparedWithFirst);
            impacts.putAll(outcome.impacts());
            Deployment tight = commit(base, outcome.harmless(), step);
            present = tight;
            long reduced = outcome.harmless().stream()
                    .filter(mr -> tight.get(mr.instance(), mr.resource()) < base.get(mr.instance(), mr.resource()))
                    .count();
            delta /= settings.divisor();
            tell(
                    Phase.CLAMPDOWN,
                    present,
                    delta,
                    i + 1,
                    reduced + " of " + candidates.size() + " reduced by " + percent(step));
        }
        return present;
    }

    /** Groups that are harmless one at a time may hurt together: the union is measured, and taken one by one if it does. */
    private Deployment commit(Deployment base, List<Mr> harmless, double step) {
        Deployment union = reduce(base, harmless, step);
        if (harmless.isEmpty() || isHarmless(union)) {
            return union;
        }
        Deployment present = base;
        for (Mr mr : harmless) {
            Deployment tried = reduce(present, List.of(mr), step);
            if (!stop.getAsBoolean() && isHarmless(tried)) {
                present = tried;
            }
        }
        return present;
    }

    private boolean isHarmless(Deployment candidate) {
        return comparison
                .runLonger(first, candidate, settings.stressTolerance())
                .isWithin(settings.stressTolerance());
    }

    private Comparison.Result comparedWithFirst(Deployment candidate) {
        return comparison.run(first, candidate, settings.stressTolerance());
    }

    private Deployment reduce(Deployment deployment, List<Mr> mrs, double step) {
        Deployment reduced = deployment;
        for (Mr mr : mrs) {
            reduced = reduced.with(mr.instance(), mr.resource(), reduced(deployment, mr, step));
        }
        return reduced;
    }

    private double reduced(Deployment deployment, Mr mr, double step) {
        double present = deployment.get(mr.instance(), mr.resource());
        double floor = Optional.ofNullable(orchestrator.floors().get(mr.instance()))
                .map(allocation -> allocation.get(mr.resource()))
                .orElse(present);
        return Math.min(
                present,
                Math.max(floor, present - step * orchestrator.capacity().get(mr.resource())));
    }

    /** Phase 1b, on so many servers at least. */
    Deployment pack(Deployment tight, int atLeast) {
        var packing = new Packing(
                orchestrator.capacity(), orchestrator.constraints(), mostImpacted(tight), first.placement());
        int fewest = Math.max(atLeast, packing.lowerBound(tight.allocations()));
        for (int servers = fewest; servers < first.servers(); servers++) {
            for (int order = 0; order < settings.orders() && !stop.getAsBoolean(); order++) {
                Optional<Deployment> placed = packing.place(tight.allocations(), servers, order, settings.seed())
                        .flatMap(placement -> accepted(tight.at(placement)));
                if (placed.isPresent()) {
                    tell(Phase.LEFTOVERS, placed.get(), 0, 0, "packed on " + servers + " of " + first.servers());
                    return placed.get();
                }
            }
        }
        Deployment unpacked = tight.at(first.placement());
        tell(Phase.LEFTOVERS, unpacked, 0, 0, "no placement on fewer servers does");
        return unpacked;
    }

    /**
     * A placement with its tight amounts, or if these do not, with what the clampdown took given back as far as there is
     * room: each reduction was harmless in the trials that it had, all of them with the new neighbours may not be, and a
     * burst that empties a small quota is rare in short trials.
     */
    private Optional<Deployment> accepted(Deployment tight) {
        Comparison.Result result = comparison.runToTheEnd(first, tight, settings.finalTolerance());
        if (result.isShownWithin(settings.finalTolerance())) {
            return Optional.of(tight);
        }
        Deployment eased = givenBack(tight);
        return eased.equals(tight)
                ? Optional.empty()
                : Optional.of(eased)
                        .filter(deployment -> comparison
                                .runToTheEnd(first, deployment, settings.finalTolerance())
                                .isShownWithin(settings.finalTolerance()));
    }

    /** The most impacted first, up to what each had in the first deployment. */
    private Deployment givenBack(Deployment tight) {
        Deployment eased = tight;
        for (int server : servers(tight)) {
            for (Resource resource : orchestrator.tunable()) {
                double left = orchestrator.capacity().get(resource) - tight.used(server, resource);
                for (String name : byImpact(tight.on(server), resource)) {
                    double amount = Math.min(left, first.get(name, resource) - tight.get(name, resource));
                    if (amount > 0) {
                        eased = eased.with(name, resource, tight.get(name, resource) + amount);
                        left -= amount;
                    }
                }
            }
        }
        return eased;
    }

    private List<String> byImpact(List<String> names, Resource resource) {
        return names.stream()
                .sorted(Comparator.comparingDouble((String name) -> -impacts.getOrDefault(new Mr(name, resource), 0.0)))
                .toList();
    }

    private static List<Integer> servers(Deployment deployment) {
        return deployment.placement().values().stream().distinct().sorted().toList();
    }

    /** Each instance's resource with the highest impact. */
    Map<String, Resource> mostImpacted(Deployment deployment) {
        var most = new TreeMap<String, Resource>();
        deployment
                .allocations()
                .keySet()
                .forEach(instance -> impacts.entrySet().stream()
                        .filter(entry -> entry.getKey().instance().equals(instance))
                        .max(Map.Entry.comparingByValue())
                        .ifPresent(entry -> most.put(instance, entry.getKey().resource())));
        return most;
    }

    /** Phase 2a. */
    Deployment leftovers(Deployment packed) {
        Deployment full = packed;
        for (int server : servers(packed)) {
            for (Resource resource : orchestrator.tunable()) {
                double left = orchestrator.capacity().get(resource) - packed.used(server, resource);
                Optional<String> neediest =
                        byImpact(packed.on(server), resource).stream().findFirst();
                if (left > 0 && neediest.isPresent()) {
                    String name = neediest.get();
                    full = full.with(name, resource, full.get(name, resource) + left);
                }
            }
        }
        boolean good = comparison.runLonger(packed, full, 0).isWithin(settings.stressTolerance());
        Deployment kept = good ? full : packed;
        tell(Phase.TRANSFER, kept, settings.firstStep(), 0, good ? "leftovers given away" : "leftovers kept back");
        return kept;
    }

    /** Phase 2b. */
    Deployment transfer(Deployment full) {
        Deployment present = full;
        double delta = settings.firstStep();
        for (int i = 0; delta >= settings.lastStep() && !stop.getAsBoolean(); i++) {
            Optional<Deployment> better = transferred(present, delta, i);
            if (better.isEmpty() && delta < settings.transferStop()) {
                return present;
            }
            present = better.orElse(present);
            delta /= settings.divisor();
            tell(Phase.TRANSFER, present, delta, i + 1, better.isPresent() ? "a transfer kept" : "no transfer helps");
        }
        return present;
    }

    /** One transfer that helps, from the most impacted receiver down. */
    private Optional<Deployment> transferred(Deployment present, double delta, int iteration) {
        List<Mr> candidates = Stress.mrs(orchestrator).stream()
                .filter(mr -> reduced(present, mr, delta) < present.get(mr.instance(), mr.resource()))
                .toList();
        Stress.Outcome outcome = new Stress(settings, 1_000L + iteration)
                .all(
                        candidates,
                        group -> reduce(present, group, delta),
                        candidate -> comparison.run(present, candidate, settings.stressTolerance()));
        impacts.putAll(outcome.impacts());
        return outcome.impacts().entrySet().stream()
                .filter(entry -> !outcome.harmless().contains(entry.getKey()))
                .max(Map.Entry.comparingByValue())
                .flatMap(entry -> give(present, entry.getKey(), delta));
    }

    private Optional<Deployment> give(Deployment present, Mr receiver, double delta) {
        int server = present.placement().getOrDefault(receiver.instance(), -1);
        Optional<String> donor = present.on(server).stream()
                .filter(name -> !name.equals(receiver.instance()))
                .filter(name -> room(present, name, receiver.resource(), delta) > 0)
                .min(Comparator.comparingDouble(name -> impacts.getOrDefault(new Mr(name, receiver.resource()), 1.0)));
        if (donor.isEmpty()) {
            return Optional.empty();
        }
        double amount = room(present, donor.get(), receiver.resource(), delta);
        for (int i = 0; i < BISECTIONS && !stop.getAsBoolean(); i++) {
            Deployment tried = moved(present, donor.get(), receiver, amount);
            Comparison.Result result = comparison.run(present, tried, 0);
            if (result.isBetter()) {
                return Optional.of(tried);
            }
            if (result.isWorse()) {
                return Optional.empty();
            }
            // No change: the step may have gone past the optimum.
            amount /= 2;
        }
        return Optional.empty();
    }

    private double room(Deployment deployment, String donor, Resource resource, double delta) {
        return deployment.get(donor, resource) - reduced(deployment, new Mr(donor, resource), delta);
    }

    private static Deployment moved(Deployment deployment, String donor, Mr receiver, double amount) {
        Resource resource = receiver.resource();
        return deployment
                .with(donor, resource, deployment.get(donor, resource) - amount)
                .with(receiver.instance(), resource, deployment.get(receiver.instance(), resource) + amount);
    }

    /** The first of the candidates that fresh trials show to be no worse than the first deployment, if there is one. */
    private Optional<Result> verified(List<Deployment> candidates) {
        for (Deployment candidate : candidates.stream().distinct().toList()) {
            if (candidate.equals(first)) {
                continue;
            }
            Comparison.Result result = comparison.runToTheEnd(first, candidate, settings.finalTolerance());
            if (result.isShownWithin(settings.finalTolerance())) {
                return Optional.of(done(candidate, result.ratio()));
            }
        }
        return Optional.empty();
    }

    private Result done(Deployment last, double ratio) {
        orchestrator.deploy(last);
        tell(
                Phase.DONE,
                last,
                0,
                0,
                String.format(Locale.ROOT, "%d → %d servers, latency × %.2f", first.servers(), last.servers(), ratio));
        return new Result(first, last, ratio, comparison.trials(), Map.copyOf(impacts), List.copyOf(steps));
    }

    private void tell(Phase phase, Deployment deployment, double delta, int iteration, String what) {
        var step = new Step(phase, deployment, delta, iteration, what);
        steps.add(step);
        journal.accept(step);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }
}
