package io.leeway.pipelining.internal.control;

import io.leeway.pipelining.PipelineDecision;
import io.leeway.pipelining.PipelineDecision.Outcome;
import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipelineProfile;
import io.leeway.pipelining.PipelineProfile.ThreadLoad;
import io.leeway.pipelining.PipelineStatus;
import io.leeway.pipelining.PipelineStatus.Phase;
import io.leeway.pipelining.PipeliningException;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.internal.optimise.Loads;
import io.leeway.pipelining.internal.optimise.Optimiser;
import io.leeway.pipelining.internal.optimise.Search;
import io.leeway.pipelining.internal.optimise.Solution;
import io.leeway.pipelining.internal.propagate.ThreadPropagation;
import io.leeway.pipelining.spi.PipelineClock;
import io.leeway.pipelining.spi.PipelineHost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Profiles, tries what the optimiser proposes, keeps what helps and takes back what does not, until nothing helps. */
public final class Controller {

    /*
     * AutoPipelining §4.3 and §4.5. A round: profile; choose one port in the path of each busy thread; measure; insert; measure
     * again; keep if every one of the ports got faster, else take back and never try the failed ones again.
     *
     * It settles when nothing promising is left, when too many ports have failed, or when there are no threads left. Settled, it
     * only compares rates from time to time; when they have shifted, or operators came or went, it forgets failures and starts
     * over, first taking out the ports that have become idle.
     *
     * Beyond the paper: what a hand-over costs is part of the prediction, so that ports that cannot pay are not tried; the limit
     * of threads is known before; rates are medians.
     *
     * Runs in one thread, which calls run(); status() may be asked from any.
     */

    private static final double SECOND = 1e9;
    /** Threads below it do so little that the one before them can do it too. */
    private static final double IDLE_PORT = 0.05;

    private final PipelineHost host;
    private final PipelineClock clock;
    private final PipeliningOptions options;
    private final Consumer<PipelineStatus> listener;

    private final List<PipelineDecision> decisions = new ArrayList<>();
    private final Map<Integer, String> blacklist = new TreeMap<>();
    private PipelineProfile profile = PipelineProfile.empty();
    private volatile PipelineStatus status;

    /** A controller that has done nothing yet; the listener is told every change of the status, in the controller's thread. */
    public Controller(
            PipelineHost host, PipelineClock clock, PipeliningOptions options, Consumer<PipelineStatus> listener) {
        this.host = host;
        this.clock = clock;
        this.options = options;
        this.listener = listener;
        this.status = status(Phase.PROFILING);
    }

    /** What is known at present. */
    public PipelineStatus status() {
        return status;
    }

    /** Runs until the host has ended or the thread is interrupted. */
    public void run() throws InterruptedException {
        try {
            clock.pause(options.nanos(PipeliningOptions.START_DELAY));
            Set<String> fixed = fixed();
            while (host.isRunning()) {
                if (fixed.isEmpty()) {
                    adapt();
                    watch();
                } else {
                    keep(fixed);
                    clock.pause(options.nanos(PipeliningOptions.WATCH_PERIOD));
                }
            }
        } finally {
            tell(Phase.ENDED);
        }
    }

    /** The operators that the user chose; none if nothing may be changed. */
    private Set<String> fixed() {
        return options.get(PipeliningOptions.OBSERVE)
                ? Set.of()
                : Arrays.stream(options.get(PipeliningOptions.FIXED).split(";"))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.toUnmodifiableSet());
    }

    /** Puts threads in front of the operators of these names, whenever there are some without; profiles them once. */
    private void keep(Set<String> names) throws InterruptedException {
        PipelineGraph graph = host.graph();
        Set<Integer> wanted = new TreeSet<>();
        for (Operator operator : graph.operators()) {
            Set<Integer> more = union(wanted, Set.of(operator.id()));
            if (names.contains(operator.name())
                    && operator.mayBeThreaded()
                    && ThreadPropagation.of(graph, more).refusals().isEmpty()) {
                wanted = more;
            }
        }
        if (!wanted.equals(host.ports())) {
            try {
                host.place(wanted);
                tell(Phase.PROFILING);
                profile = takeProfile();
            } catch (PipeliningException e) {
                wanted.forEach(port -> blacklist.put(port, String.valueOf(e.getMessage())));
            }
        }
        tell(Phase.SETTLED);
    }

    /** Rounds until nothing more helps. */
    public void adapt() throws InterruptedException {
        while (host.isRunning() && round()) {
            // Each round is told when it ends.
        }
    }

    /** One round; false when there is nothing more to try. */
    private boolean round() throws InterruptedException {
        tell(Phase.PROFILING);
        profile = takeProfile();
        Solution solution = choose();
        Set<Integer> ports = solution.ports();
        if (ports.isEmpty() || !host.isRunning()) {
            return false;
        }
        tell(Phase.EVALUATING);
        if (options.get(PipeliningOptions.OBSERVE)) {
            Map<Integer, Double> before = only(measure(), ports);
            decide(solution, before, Map.of(), 0, Outcome.OBSERVED);
            return false;
        }
        return attempt(solution, ports) && !hasGivenUp();
    }

    private boolean attempt(Solution solution, Set<Integer> ports) throws InterruptedException {
        Set<Integer> present = host.ports();
        Map<Integer, Double> before = only(measure(), ports);
        long pause;
        try {
            pause = host.place(union(present, ports));
        } catch (PipeliningException e) {
            ports.forEach(port -> blacklist.put(port, String.valueOf(e.getMessage())));
            decide(solution, before, Map.of(), 0, Outcome.ABANDONED);
            return true;
        }
        tell(Phase.EVALUATING);
        // What fills the queues in the first moments is not throughput.
        clock.pause(options.nanos(PipeliningOptions.EVALUATE_PERIOD) / 4);
        Map<Integer, Double> after = only(measure(), ports);
        if (!host.isRunning() || !host.graph().operators().stream().anyMatch(o -> ports.contains(o.id()))) {
            decide(solution, before, Map.of(), pause, Outcome.ABANDONED);
            return host.isRunning();
        }
        var failed = failed(ports, before, after);
        if (failed.isEmpty()) {
            decide(solution, before, after, pause, Outcome.KEPT);
            return true;
        }
        failed.forEach(port -> blacklist.put(port, "it was tried, and did not get faster"));
        Set<Integer> leave = options.get(PipeliningOptions.REVERT) == PipeliningOptions.Revert.ALL ? ports : failed;
        var kept = new TreeSet<>(host.ports());
        kept.removeAll(leave);
        takeBack(kept);
        decide(solution, before, after, pause, Outcome.REVERTED);
        return true;
    }

    private Set<Integer> failed(Set<Integer> ports, Map<Integer, Double> before, Map<Integer, Double> after) {
        double factor = 1 + options.get(PipeliningOptions.IMPROVEMENT);
        var failed = new TreeSet<Integer>();
        for (int port : ports) {
            if (after.getOrDefault(port, 0.0) <= before.getOrDefault(port, 0.0) * factor) {
                failed.add(port);
            }
        }
        return failed;
    }

    private void takeBack(Set<Integer> kept) throws InterruptedException {
        while (host.isRunning()) {
            try {
                host.place(kept);
                return;
            } catch (PipeliningException e) {
                // An operator holds the flow up at this moment. What did not help must not stay: again, after a while.
                clock.pause(options.nanos(PipeliningOptions.EVALUATE_PERIOD));
            }
        }
    }

    private PipelineProfile takeProfile() throws InterruptedException {
        host.startProfile(options.get(PipeliningOptions.PROFILE_RATE));
        try {
            clock.pause(options.nanos(PipeliningOptions.PROFILE_PERIOD));
        } finally {
            profile = host.stopProfile();
        }
        return profile;
    }

    /** What the optimiser proposes, if the host takes it and there are threads for it. */
    private Solution choose() {
        PipelineGraph graph = host.graph();
        Set<Integer> present = host.ports();
        var excluded = new TreeSet<>(present);
        excluded.addAll(blacklist.keySet());
        for (Operator operator : graph.operators()) {
            if (!present.contains(operator.id())) {
                Map<Integer, String> refusals = ThreadPropagation.of(graph, union(present, Set.of(operator.id())))
                        .refusals();
                if (!refusals.isEmpty()) {
                    excluded.add(operator.id());
                }
            }
        }
        double busy = options.get(PipeliningOptions.BUSY);
        Solution solution = Optimiser.optimise(loads(), busy, excluded, Search.DEFAULT);
        int free = threadLimit(graph) - sources(graph) - present.size();
        boolean fits = solution.ports().size() <= free
                && ThreadPropagation.of(graph, union(present, solution.ports()))
                        .refusals()
                        .isEmpty();
        return fits ? solution : Optimiser.optimise(new Loads(List.of()), busy, excluded, Search.DEFAULT);
    }

    private int threadLimit(PipelineGraph graph) {
        int given = options.get(PipeliningOptions.THREADS);
        return given > 0 ? given : Math.max(Runtime.getRuntime().availableProcessors(), sources(graph) + 1);
    }

    private static int sources(PipelineGraph graph) {
        return (int) graph.operators().stream().filter(Operator::source).count();
    }

    private Loads loads() {
        double given = options.nanos(PipeliningOptions.HAND_OVER);
        double handOver = given > 0 ? given : host.handOverNanos();
        var rows = new ArrayList<Loads.Row>();
        for (ThreadLoad thread : profile.threads()) {
            var costs = new HashMap<Integer, Double>();
            thread.rates().forEach((port, rate) -> costs.put(port, rate * handOver / SECOND));
            rows.add(new Loads.Row(thread.utilisation(), thread.ports(), costs));
        }
        return new Loads(rows);
    }

    private boolean hasGivenUp() {
        double all = Math.max(1, host.graph().operators().size() - sources(host.graph()));
        return blacklist.size() / all > options.get(PipeliningOptions.GIVE_UP);
    }

    private void decide(
            Solution solution, Map<Integer, Double> before, Map<Integer, Double> after, long pause, Outcome outcome) {
        double busiest = solution.choices().keySet().stream()
                .mapToDouble(thread -> profile.threads().get(thread).utilisation())
                .max()
                .orElse(0);
        double gain = solution.utility() == 0 ? 1 : busiest / solution.utility();
        decisions.add(new PipelineDecision(
                decisions.size() + 1, solution.ports(), solution.utility(), gain, before, after, pause, outcome));
        tell(Phase.EVALUATING);
    }

    /** Settled: returns when the load has shifted or the graph is another one. */
    private void watch() throws InterruptedException {
        tell(Phase.SETTLED);
        Map<Integer, Double> settled = measure();
        Set<Integer> operators = ids();
        double shift = options.get(PipeliningOptions.SHIFT);
        while (host.isRunning()) {
            clock.pause(options.nanos(PipeliningOptions.WATCH_PERIOD));
            // The graph may be another one by now, and who looks on should see it.
            tell(Phase.SETTLED);
            // A stretch that is out of line may be a pause of the machine: two in a row are a shift.
            boolean shifted = hasShifted(settled, shift);
            shifted = shifted && hasShifted(settled, shift);
            if (!ids().equals(operators) || shifted) {
                wake();
                return;
            }
        }
    }

    private boolean hasShifted(Map<Integer, Double> settled, double shift) throws InterruptedException {
        Map<Integer, Double> now = measure();
        for (var entry : settled.entrySet()) {
            double then = entry.getValue();
            double rate = now.getOrDefault(entry.getKey(), 0.0);
            double larger = Math.max(then, rate);
            double smaller = Math.min(then, rate);
            if (larger > 0 && larger - smaller > shift * Math.max(smaller, larger / 100)) {
                return true;
            }
        }
        return false;
    }

    private Set<Integer> ids() {
        var ids = new TreeSet<Integer>();
        host.graph().operators().forEach(operator -> ids.add(operator.id()));
        return ids;
    }

    private void wake() throws InterruptedException {
        blacklist.clear();
        profile = takeProfile();
        var kept = new TreeSet<>(host.ports());
        for (ThreadLoad thread : profile.threads()) {
            if (thread.utilisation() < IDLE_PORT) {
                // The operator with the largest share is the one where a port's thread begins; a source is in no share.
                thread.ports().entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .ifPresent(first -> kept.remove(first.getKey()));
            }
        }
        if (!options.get(PipeliningOptions.OBSERVE)) {
            takeBack(kept);
        }
    }

    private Map<Integer, Double> measure() throws InterruptedException {
        return Rates.measure(host, clock, options.nanos(PipeliningOptions.EVALUATE_PERIOD));
    }

    private static Map<Integer, Double> only(Map<Integer, Double> rates, Set<Integer> ports) {
        var only = new TreeMap<Integer, Double>();
        ports.forEach(port -> only.put(port, rates.getOrDefault(port, 0.0)));
        return only;
    }

    private static Set<Integer> union(Set<Integer> one, Set<Integer> other) {
        var union = new TreeSet<>(one);
        union.addAll(other);
        return union;
    }

    private void tell(Phase phase) {
        status = status(phase);
        listener.accept(status);
    }

    private PipelineStatus status(Phase phase) {
        return new PipelineStatus(
                host.name(), phase, host.graph(), host.ports(), profile, decisions, refusedAndFailed());
    }

    private Map<Integer, String> refusedAndFailed() {
        var all = new TreeMap<>(blacklist);
        for (Operator operator : host.graph().operators()) {
            if (!operator.source() && !operator.mayBeThreaded()) {
                all.putIfAbsent(operator.id(), operator.refusal());
            }
        }
        return all;
    }
}
