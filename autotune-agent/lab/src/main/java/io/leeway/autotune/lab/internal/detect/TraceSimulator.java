package io.leeway.autotune.lab.internal.detect;

import io.leeway.autotune.lab.internal.trace.Span;
import io.leeway.autotune.lab.internal.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes traces of random applications with labels: which services are a bottleneck. An application is a graph of services
 * and some types of request, each a tree of calls that follow each other or run at the same time; own times are
 * log-normal. A fault makes one service slow in its own way; several may be there at once; a cascade also makes the
 * callers of the slow service slow, since their threads wait, without making them the cause. What is normal varies too:
 * the load of the moment makes all services slower together, and harmless hiccups come anywhere.
 */
public final class TraceSimulator {

    /** What slows a service, with how it shows in its own times. */
    public enum Fault {
        /** Neighbours take the CPU: times grow by a factor. */
        CPU(1.5, 0.15, 0),
        /** Collections and page faults: a factor, and long pauses now and then. */
        MEMORY(1.3, 0.3, 0.3),
        /** A slow disk: a large factor that varies. */
        DISK(2.2, 0.5, 0),
        /** A slow network: an addition that is the same for all. */
        NETWORK(1.8, 0.1, 0),
        /** A lock: a queue, exponential. */
        LOCK(1.6, 0.7, 0),
        /** A pool without free connections: a long queue. */
        POOL(2.5, 0.6, 0),
        /** A wrong setting: a factor. */
        MISCONFIGURATION(1.7, 0.2, 0);

        private final double factor;
        private final double spread;
        private final double pauses;

        Fault(double factor, double spread, double pauses) {
            this.factor = factor;
            this.spread = spread;
            this.pauses = pauses;
        }
    }

    /** How many services are at fault in an anomalous trace, and whether callers suffer. */
    public enum Anomaly {
        /** One. */
        SINGLE,
        /** Two or three that have nothing to do with each other. */
        MULTIPLE,
        /** One, whose callers are slow because of it. */
        CASCADING
    }

    /**
     * A trace with what is true of it.
     *
     * @param trace as a tracer sees it
     * @param culprits services that are the bottleneck; empty for a normal trace
     */
    public record Labelled(Trace trace, Set<String> culprits) {}

    /** A call: of a service, with calls in stages, those of one stage at the same time. */
    private record Call(int service, double micros, double sigma, List<List<Call>> stages) {}

    private static final double HICCUP = 0.01;
    private static final double PAUSE = 0.1;

    private final SplittableRandom random;
    private final int services;
    private final List<Call> types = new ArrayList<>();
    private final double pauseMicros;
    private long clock;

    /** One whose services never pause. */
    public TraceSimulator(int services, int types, long seed) {
        this(services, types, seed, 0);
    }

    /**
     * A random application.
     *
     * @param services how many
     * @param types of requests
     * @param seed of the application and of what happens in it
     * @param pauseMicros mean of the pauses that services make now and then, as a busy machine and collections do to them:
     *     they are the same for all, so that cheap services seem to vary most
     */
    TraceSimulator(int services, int types, long seed, double pauseMicros) {
        this.random = new SplittableRandom(seed);
        this.pauseMicros = pauseMicros;
        this.services = services;
        double[] micros = random.doubles(services)
                .map(u -> 1_000 * StrictMath.exp(2.5 * u))
                .toArray();
        double[] sigmas = random.doubles(services, 0.1, 0.45).toArray();
        for (int t = 0; t < types; t++) {
            // Every type reaches some of the services, each at most once, from the front.
            var left = new ArrayList<Integer>();
            for (int i = 1; i < services; i++) {
                left.add(i);
            }
            this.types.add(call(0, left, 0, micros, sigmas));
        }
    }

    private Call call(int service, List<Integer> left, int depth, double[] micros, double[] sigmas) {
        var stages = new ArrayList<List<Call>>();
        int count = depth >= 5 || left.isEmpty() ? 0 : depth == 0 ? 2 + random.nextInt(3) : random.nextInt(4);
        for (int s = 0; s < count && !left.isEmpty(); ) {
            int width = Math.min(Math.min(left.size(), count - s), 1 + random.nextInt(3));
            var chosen = new ArrayList<Integer>();
            for (int k = 0; k < width; k++) {
                chosen.add(left.remove(random.nextInt(left.size())));
            }
            stages.add(chosen.stream()
                    .map(next -> call(next, left, depth + 1, micros, sigmas))
                    .toList());
            s += width;
        }
        return new Call(service, micros[service], sigmas[service], stages);
    }

    /** How many services there are. */
    public int services() {
        return services;
    }

    private static String name(int service) {
        return "service-" + service;
    }

    /** A normal trace. */
    public Labelled normal() {
        return trace(Set.of(), Fault.CPU, false);
    }

    /** A trace with a bottleneck of this kind, on services that the request reaches. */
    public Labelled anomalous(Anomaly anomaly) {
        Call type = types.get(random.nextInt(types.size()));
        var reached = new TreeSet<Integer>();
        collect(type, reached);
        List<Integer> all = List.copyOf(reached);
        int count = anomaly == Anomaly.MULTIPLE ? Math.min(all.size(), 2 + random.nextInt(2)) : 1;
        var culprits = new TreeSet<Integer>();
        while (culprits.size() < count) {
            int chosen = all.get(random.nextInt(all.size()));
            // A cascade needs somebody to suffer.
            if (anomaly != Anomaly.CASCADING || chosen != 0 || all.size() == 1) {
                culprits.add(chosen);
            }
        }
        Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
        return trace(type, culprits, fault, anomaly == Anomaly.CASCADING);
    }

    /** A trace, of any type, with this service at fault wherever it is reached. */
    public Labelled slow(String service) {
        int culprit = Integer.parseInt(service.substring(service.indexOf('-') + 1));
        return trace(Set.of(culprit), Fault.values()[random.nextInt(Fault.values().length)], false);
    }

    private Labelled trace(Set<Integer> culprits, Fault fault, boolean isCascading) {
        return trace(types.get(random.nextInt(types.size())), culprits, fault, isCascading);
    }

    private Labelled trace(Call type, Set<Integer> culprits, Fault fault, boolean isCascading) {
        clock += 1_000_000;
        String id = Long.toHexString(random.nextLong() | 1);
        double load = StrictMath.exp(0.12 * random.nextGaussian());
        double severity = StrictMath.exp(0.35 * random.nextGaussian());
        var spans = new ArrayList<Span>();
        var writer = new Writer(id, spans, culprits, fault, isCascading, load, severity);
        writer.write(type, null, clock);
        Trace trace = Trace.of(spans).orElseThrow();
        var names = new TreeSet<String>();
        culprits.forEach(culprit -> names.add(name(culprit)));
        return new Labelled(trace, names);
    }

    private static void collect(Call call, Set<Integer> into) {
        into.add(call.service());
        call.stages().forEach(stage -> stage.forEach(next -> collect(next, into)));
    }

    private boolean isAbove(Call call, Set<Integer> culprits) {
        return call.stages().stream()
                .flatMap(List::stream)
                .anyMatch(next -> culprits.contains(next.service()) || isAbove(next, culprits));
    }

    /** One trace in the making. */
    private final class Writer {

        private final String id;
        private final List<Span> spans;
        private final Set<Integer> culprits;
        private final Fault fault;
        private final boolean isCascading;
        private final double load;
        private final double severity;

        Writer(
                String id,
                List<Span> spans,
                Set<Integer> culprits,
                Fault fault,
                boolean isCascading,
                double load,
                double severity) {
            this.id = id;
            this.spans = spans;
            this.culprits = culprits;
            this.fault = fault;
            this.isCascading = isCascading;
            this.load = load;
            this.severity = severity;
        }

        /** Returns when the call ends. */
        long write(Call call, @Nullable String parent, long start) {
            String span = id + "-" + spans.size();
            int place = spans.size();
            spans.add(new Span(id, span, parent, name(call.service()), "call", start, start, false));
            double own = own(call);
            int parts = call.stages().size() + 1;
            long time = start + (long) (own / parts);
            for (List<Call> stage : call.stages()) {
                long end = time;
                for (Call next : stage) {
                    end = Math.max(end, write(next, span, time));
                }
                time = end + (long) (own / parts);
            }
            spans.set(place, new Span(id, span, parent, name(call.service()), "call", start, time, false));
            return time;
        }

        private double own(Call call) {
            double micros = load * call.micros() * StrictMath.exp(call.sigma() * random.nextGaussian());
            if (random.nextDouble() < HICCUP) {
                micros *= 2 + random.nextDouble();
            }
            if (pauseMicros > 0 && random.nextDouble() < PAUSE) {
                micros -= pauseMicros * StrictMath.log(1 - random.nextDouble());
            }
            if (culprits.contains(call.service())) {
                double factor = 1 + severity * fault.factor * StrictMath.exp(fault.spread * random.nextGaussian());
                factor += random.nextDouble() < fault.pauses ? 4 * random.nextDouble() : 0;
                return micros * factor;
            }
            // Threads that wait for the slow one are missing for others: requests wait before they are begun.
            return isCascading && isAbove(call, culprits)
                    ? micros * (1 + severity * (0.8 + 1.8 * random.nextDouble()))
                    : micros;
        }
    }
}
