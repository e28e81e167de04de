package io.leeway.netsim.internal.workload;

import io.leeway.netsim.internal.sim.Rng;
import io.leeway.netsim.internal.transport.Batch;
import io.leeway.netsim.internal.transport.Flow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs one after another in the order of their times, each made when the one before it starts: so a run needs memory for
 * the jobs that are alive, not for all. Not thread-safe.
 */
interface JobSource {

    /** What a job counts as. */
    enum Kind {
        /** Approximate, and measured. */
        APPROXIMATE,
        /** Not approximate, and measured apart. */
        EXACT,
        /** Beside them. */
        BESIDE
    }

    /**
     * A job that is to start.
     *
     * @param at picoseconds
     * @param from the host that sends
     * @param to the host that receives
     * @param kind what it counts as
     * @param batch what is sent
     * @param all the whole job, also what a sampling sender leaves out
     * @param group what it is counted with; empty for none
     */
    record Planned(long at, int from, int to, Kind kind, Batch batch, Batch all, String group) {}

    /** The next; null if there is none. */
    @Nullable
    Planned next();

    /** As many as are needed, each as likely as any other, in the order in which they are made. */
    static Batch sampled(Batch batch, Rng rng) {
        int count = batch.count();
        int need = batch.need();
        int[] sizes = new int[need];
        long[] at = batch.isSpread() ? new long[need] : new long[0];
        int taken = 0;
        for (int i = 0; i < count && taken < need; i++) {
            if (rng.nextInt(count - i) < need - taken) {
                sizes[taken] = batch.sizes()[i];
                if (batch.isSpread()) {
                    at[taken] = batch.at(i);
                }
                taken++;
            }
        }
        return new Batch(sizes, at, 1);
    }

    /** No run lasts as long; later times would leave the range in which they can be added up. */
    long NEVER = Long.MAX_VALUE / 4;

    /** Those of a workload, or of one kind beside it. */
    final class Random implements JobSource {
        private final Workload workload;
        private final Kind kind;
        private final int hosts;
        private final double gap;
        private final boolean samples;
        private final Rng pairs;
        private final Rng times;
        private final Rng sizes;
        private final Rng arrivals;
        private final Rng sampling;
        private final int limit;
        private double at;
        private int made;

        /** Streams of their own: every transport gets the same jobs, whatever it makes of them. */
        Random(Workload workload, Kind kind, int hosts, double rate, boolean samples, long seed, int stream) {
            this.workload = workload;
            this.kind = kind;
            this.hosts = hosts;
            this.samples = samples;
            limit = kind == Kind.BESIDE ? Integer.MAX_VALUE : workload.jobs();
            pairs = Rng.of(seed, stream + 1L);
            times = Rng.of(seed, stream + 2L);
            sizes = Rng.of(seed, stream + 3L);
            sampling = Rng.of(seed, stream + 4L);
            arrivals = Rng.of(seed, stream + 5L);
            double receivers = switch (workload.pattern()) {
                case INCAST, PAIR -> 1;
                case ALL_TO_ALL, PERMUTATION -> hosts;
            };
            double jobBytes = workload.messages() * (workload.sizes().mean() + Flow.HEADER);
            gap = workload.load() == 0 ? 0 : jobBytes * 8 / (workload.load() * rate * receivers) * 1e12;
            at = workload.after();
        }

        @Override
        public @Nullable Planned next() {
            if (made >= limit) {
                return null;
            }
            at += gap * times.nextExponential();
            int[] messages = new int[workload.messages()];
            for (int m = 0; m < messages.length; m++) {
                messages[m] = workload.sizes().next(sizes);
            }
            int to = receiver(made);
            int from = sender(made, to);
            boolean exact = pairs.nextDouble() < workload.exactShare();
            Batch batch = new Batch(
                    messages, workload.arrivals().times(messages.length, arrivals), exact ? 1 : workload.msr());
            Batch all = batch;
            if (!exact && samples) {
                batch = sampled(batch, sampling);
            }
            made++;
            return new Planned(
                    (long) Math.min(at, (double) NEVER), from, to, exact ? Kind.EXACT : kind, batch, all, "");
        }

        private int receiver(int job) {
            return switch (workload.pattern()) {
                case INCAST, PAIR -> 0;
                case PERMUTATION -> (job + hosts / 2) % hosts;
                case ALL_TO_ALL -> pairs.nextInt(hosts);
            };
        }

        private int sender(int job, int to) {
            return switch (workload.pattern()) {
                case PAIR -> 1;
                case INCAST -> 1 + job % (hosts - 1);
                case PERMUTATION -> job % hosts;
                case ALL_TO_ALL -> (to + 1 + pairs.nextInt(hosts - 1)) % hosts;
            };
        }
    }

    /** Those of a file. */
    final class Traced implements JobSource {
        private final List<FlowTrace.Job> jobs;
        private final double msr;
        private final boolean samples;
        private final Rng sampling;
        private int made;

        Traced(List<FlowTrace.Job> jobs, double msr, boolean samples, long seed) {
            this.jobs = jobs;
            this.msr = msr;
            this.samples = samples;
            sampling = Rng.of(seed, 4);
        }

        @Override
        public @Nullable Planned next() {
            if (made >= jobs.size()) {
                return null;
            }
            FlowTrace.Job job = jobs.get(made++);
            int[] sizes = job.sizes().stream().mapToInt(Integer::intValue).toArray();
            double share = job.msr() > 0 ? job.msr() : msr;
            Batch batch = new Batch(sizes, share);
            Batch all = batch;
            if (share < 1 && samples) {
                batch = sampled(batch, sampling);
            }
            Kind kind = job.msr() == 1 ? Kind.EXACT : Kind.APPROXIMATE;
            return new Planned(job.at(), job.from(), job.to(), kind, batch, all, job.group());
        }
    }
}
