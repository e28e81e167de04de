package io.leeway.netsim.internal.workload;

import io.leeway.netsim.internal.net.Fabric;
import io.leeway.netsim.internal.net.FabricConfig;
import io.leeway.netsim.internal.sim.Rng;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Full packets at random times to host 0, in a queue that changes; nobody counts them. They come from the last host, and
 * from those before it when they are more than one link carries.
 */
public final class Background {

    private final Fabric fabric;
    private final int id;
    private final List<Phase> phases;
    private final int ownQueue;
    private final Rng rng;

    Background(Fabric fabric, int id, List<Phase> phases, int ownQueue, Rng rng) {
        this.fabric = fabric;
        this.id = id;
        this.phases = phases;
        this.ownQueue = ownQueue;
        this.rng = rng;
    }

    void start() {
        phases.forEach(phase -> fabric.timer(phase.at(), id, 0));
    }

    /** The phase that holds now; empty before the first. */
    private Optional<Phase> now() {
        Optional<Phase> now = Optional.empty();
        for (Phase phase : phases) {
            if (phase.at() <= fabric.now()) {
                now = Optional.of(phase);
            }
        }
        return now;
    }

    /** The queue that it is in; -1 while it sends nothing. */
    int queue() {
        return now().filter(phase -> phase.share() > 0)
                .map(phase -> phase.queue(ownQueue))
                .orElse(-1);
    }

    private int chain;
    private int turn;

    void timer(int tag) {
        // Each phase begins a chain of its own; those before it end.
        int due = (int)
                phases.stream().filter(phase -> phase.at() <= fabric.now()).count();
        if (tag == 0) {
            chain = due;
        } else if (tag != chain) {
            return;
        }
        Optional<Phase> phase = now().filter(found -> found.share() > 0);
        if (phase.isEmpty()) {
            return;
        }
        int packet = fabric.packets().make(id, 0, FabricConfig.MTU, phase.get().queue(ownQueue));
        fabric.packets().data(packet, 0, Integer.MAX_VALUE, fabric.now(), false);
        int senders = phase.get().senders();
        fabric.send(fabric.hosts() - 1 - turn++ % senders, packet);
        double gap = fabric.transmission(FabricConfig.MTU) / phase.get().share();
        fabric.timer(fabric.now() + (long) (gap * rng.nextExponential()), id, chain);
    }

    /**
     * What it is from a time on.
     *
     * @param share of a link's rate; above 1 from several hosts
     * @param queue 0 to 7; negative for the queue that the job begins in, or as many above it as the number is below -1
     * @param at picoseconds
     */
    public record Phase(double share, int queue, long at) {

        private static final Pattern FORM =
                Pattern.compile("([0-7]?(?:\\.\\d{1,4})?) in queue (?:([0-7])|own(?:-([1-6]))?) from"
                        + " (\\d{1,6}(?:\\.\\d{1,3})?)(us|ms)");

        /** The hosts that it comes from: as many as have links for it. */
        public int senders() {
            return (int) Math.ceil(share);
        }

        int queue(int own) {
            return queue >= 0 ? queue : own == 0 ? 0 : Math.max(1, own + queue + 1);
        }

        /** From {@code 0.6 in queue own-1 from 100us}. */
        public static Optional<Phase> of(String text) {
            Matcher match = FORM.matcher(text);
            if (!match.matches() || !match.group(1).matches(".*\\d.*")) {
                return Optional.empty();
            }
            int queue = -1;
            if (match.group(2) != null) {
                queue = Integer.parseInt(match.group(2));
            } else if (match.group(3) != null) {
                queue = -1 - Integer.parseInt(match.group(3));
            }
            double at = Double.parseDouble(match.group(4)) * (match.group(5).equals("us") ? 1e6 : 1e9);
            return Optional.of(new Phase(Double.parseDouble(match.group(1)), queue, (long) at));
        }
    }
}
