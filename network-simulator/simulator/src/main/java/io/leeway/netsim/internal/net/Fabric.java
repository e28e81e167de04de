package io.leeway.netsim.internal.net;

import io.leeway.netsim.internal.net.FabricConfig.Order;
import io.leeway.netsim.internal.sim.EventQueue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Links, switches and network cards: carries packets from host to host, and tells hosts what arrives and when their
 * timers are due.
 *
 * <p>A switch takes a whole packet before it sends it on, and queues at the way out. A packet costs one event a link when
 * the port is idle and at most two when it is not: the arrival at the other end is known when the transmission begins.
 * Not thread-safe.
 */
public final class Fabric {

    private static final int ARRIVAL = 0;
    private static final int PORT_FREE = 1;
    private static final int TIMER = 2;
    private static final int CREDIT_DUE = 3;
    /** Credits that may wait at a port. */
    private static final int CREDITS_WAITING = 8;
    /** A credit and the longest frame that it lets through, with what Ethernet adds. */
    private static final int CREDIT_CYCLE_BYTES = 84 + 1538;
    /** Bytes that may wait before what was sent without leave is dropped. */
    private static final long UNSCHEDULED_LIMIT = 4L * FabricConfig.MTU;

    private static final int Q = FabricConfig.QUEUES;

    /** What happens at hosts. */
    public interface Hosts {

        /** A packet has reached the host that it goes to. It is released after this. */
        void arrived(int packet);

        /** A packet that is not a credit was dropped. It is released after this. */
        default void dropped(int packet) {}

        /** A timer of a flow is due. */
        void timer(int flow, int tag);
    }

    private final EventQueue events = new EventQueue();
    private final Packets packets = new Packets();
    private final FabricConfig config;
    private final Routes routes;
    private final int hosts;
    private final double picosPerByte;
    private final double[] portPicosPerByte;
    private final long[] markAbove;
    private final long[] creditAt;
    private final long[] limits;
    private final boolean byRemaining;

    // Of every port.
    private final int[] hostPort;
    private final int[] owner;
    private final int[] target;
    private final long[] freeAt;
    private final boolean[] waiting;
    private final int[] filled;
    private final int[] head;
    private final int[] tail;
    private final long[] queued;
    private final long[] inPort;
    private final double[] byteTime;
    private final long[] changedAt;
    private final long[] sent;
    private final long[] inSwitch;

    private final long[] drops = new long[Q];
    private final long[] entered = new long[Q];
    private long arrived;
    private @Nullable Hosts hostsNow;
    private long creditsDropped;
    private long marks;
    private long longest;

    /** A network that is idle. */
    public Fabric(Topology topology, FabricConfig config) {
        this.config = config;
        routes = new Routes(topology);
        hosts = topology.hosts();
        picosPerByte = 8e12 / config.rate();
        limits = config.limits().stream().mapToLong(Long::longValue).toArray();
        byRemaining = config.order() == Order.LEAST_REMAINING;
        int ports = topology.links().size() * 2;
        owner = new int[ports];
        target = new int[ports];
        portPicosPerByte = new double[ports];
        markAbove = new long[ports];
        creditAt = new long[ports];
        for (int i = 0; i < ports; i += 2) {
            Topology.Link link = topology.links().get(i / 2);
            owner[i] = link.from();
            target[i] = link.to();
            owner[i + 1] = link.to();
            target[i + 1] = link.from();
            for (int port = i; port <= i + 1; port++) {
                portPicosPerByte[port] = picosPerByte / link.speed();
                // A faster link drains the same time's worth of packets; no overflow where nothing is marked.
                markAbove[port] = (long) Math.min(Long.MAX_VALUE / 2.0, config.markAbove() * link.speed());
            }
        }
        hostPort = new int[hosts];
        for (int port = 0; port < ports; port++) {
            if (owner[port] < hosts) {
                hostPort[owner[port]] = port;
            }
        }
        freeAt = new long[ports];
        waiting = new boolean[ports];
        filled = new int[ports];
        head = new int[ports * Q];
        tail = new int[ports * Q];
        Arrays.fill(head, -1);
        Arrays.fill(tail, -1);
        queued = new long[ports * Q];
        inPort = new long[ports];
        byteTime = new double[ports];
        changedAt = new long[ports];
        sent = new long[ports];
        inSwitch = new long[topology.switches()];
    }

    /** The packets on their way. */
    public Packets packets() {
        return packets;
    }

    /** The time, in picoseconds. */
    public long now() {
        return events.now();
    }

    /** Events handled so far. */
    public long handled() {
        return events.handled();
    }

    /** How many hosts there are. */
    public int hosts() {
        return hosts;
    }

    /** The time that so many bytes take on a link, in picoseconds. */
    public long transmission(long bytes) {
        return (long) (bytes * picosPerByte);
    }

    /** There and back for a full packet and its acknowledgement when nothing else is sent, in picoseconds. */
    public long baseRoundTrip(int from, int to) {
        return config.roundTrip(routes.hops(from, to));
    }

    /**
     * What so many bytes take from one host to another when nothing else is sent, in picoseconds: full packets one after
     * another at the rate of the host's link.
     */
    public double idealTime(int from, int to, long bytes) {
        long full = FabricConfig.MTU - 40;
        long packets = (bytes + full - 1) / full;
        int links = routes.hops(from, to);
        double last = bytes - (packets - 1) * full + 40;
        double wire = (bytes + packets * 40) * picosPerByte;
        // Behind a full packet a short one waits at every link.
        double hop = packets > 1 ? FabricConfig.MTU : last;
        return wire + (links - 1) * hop * picosPerByte + (double) links * config.delay();
    }

    /** Bits a second of each link. */
    public double rate() {
        return config.rate();
    }

    /** Calls {@link Hosts#timer} at a time, or now if that is past. */
    public void timer(long time, int flow, int tag) {
        events.add(Math.max(time, events.now()), TIMER, flow, tag);
    }

    /** A host sends a packet: it waits in the card, which drops nothing, until the link is free. */
    public void send(int host, int packet) {
        entered[packets.queue(packet)]++;
        forward(hostPort[host], packet);
    }

    private void forward(int port, int packet) {
        if (packets.isCredit(packet)) {
            passCredit(port, packet);
        } else {
            enqueue(port, packet);
        }
    }

    /** Credits pass at the rate at which the packets that they call for fit into the way back; few may wait, the rest is lost. */
    private void passCredit(int port, int packet) {
        long now = events.now();
        long cycle = (long) (CREDIT_CYCLE_BYTES * portPicosPerByte[port]);
        long due = Math.max(now, creditAt[port]);
        if (due - now > CREDITS_WAITING * cycle) {
            creditsDropped++;
            packets.release(packet);
            return;
        }
        creditAt[port] = due + cycle;
        if (due == now) {
            enqueue(port, packet);
        } else {
            events.add(due, CREDIT_DUE, packet, port);
        }
    }

    /** Bytes that wait in a host's card. */
    public long waitingAt(int host) {
        return inPort[hostPort[host]];
    }

    /** Handles events until there is none or the next is later than {@code until}; false when there is none. */
    public boolean run(Hosts handler, long until) {
        hostsNow = handler;
        while (events.poll()) {
            int a = events.a();
            switch (events.kind()) {
                case ARRIVAL -> arrive(handler, a, events.b());
                case PORT_FREE -> {
                    waiting[a] = false;
                    transmitNext(a);
                }
                case CREDIT_DUE -> enqueue(events.b(), a);
                default -> handler.timer(a, events.b());
            }
            if (events.now() >= until) {
                return true;
            }
        }
        return false;
    }

    private void arrive(Hosts handler, int packet, int port) {
        int node = target[port];
        if (node < hosts) {
            arrived++;
            handler.arrived(packet);
            packets.release(packet);
        } else {
            forward(routes.port(node, packets.target(packet), packets.flow(packet), config.spray()), packet);
        }
    }

    private void enqueue(int port, int packet) {
        long now = events.now();
        if (inPort[port] == 0 && now >= freeAt[port]) {
            transmit(port, packet, now);
            return;
        }
        int queue = byRemaining ? 0 : packets.queue(packet);
        int bytes = packets.bytes(packet);
        if (owner[port] >= hosts && !admits(port, queue, packet, bytes)) {
            drop(packet);
            return;
        }
        // A card drops nothing, but it marks: else a flow that has its path for itself would fill it without limit.
        if (queue == 0 && queued[port * Q] + bytes > markAbove[port] && !byRemaining) {
            marks++;
            packets.markIfPossible(packet);
        }
        append(port, queue, packet, bytes, now);
        if (!waiting[port]) {
            waiting[port] = true;
            events.add(freeAt[port], PORT_FREE, port, 0);
        }
    }

    private void drop(int packet) {
        drops[packets.queue(packet)]++;
        if (hostsNow != null) {
            hostsNow.dropped(packet);
        }
        packets.release(packet);
    }

    private boolean admits(int port, int queue, int packet, int bytes) {
        int slot = port * Q + queue;
        long limit = limits[queue];
        if (byRemaining) {
            while (queued[slot] + bytes > limit) {
                int worst = worst(slot);
                if (worst < 0 || packets.key(worst) <= packets.key(packet)) {
                    return false;
                }
                remove(port, queue, worst, events.now());
                drop(worst);
            }
            return true;
        }
        if (packets.isUnscheduled(packet) && queued[slot] + bytes > UNSCHEDULED_LIMIT) {
            return false;
        }
        if (queued[slot] + bytes > limit || inSwitch[owner[port] - hosts] + bytes > config.switchBuffer()) {
            return false;
        }
        return true;
    }

    private void append(int port, int queue, int packet, int bytes, long now) {
        int slot = port * Q + queue;
        packets.next(packet, -1);
        if (tail[slot] < 0) {
            head[slot] = packet;
            filled[port] |= 1 << queue;
        } else {
            packets.next(tail[slot], packet);
        }
        tail[slot] = packet;
        queued[slot] += bytes;
        occupy(port, bytes, now);
    }

    private void occupy(int port, int bytes, long now) {
        byteTime[port] += (double) inPort[port] * (now - changedAt[port]);
        changedAt[port] = now;
        inPort[port] += bytes;
        if (owner[port] >= hosts) {
            inSwitch[owner[port] - hosts] += bytes;
            longest = Math.max(longest, inPort[port]);
        }
    }

    private void transmitNext(int port) {
        int queue = Integer.numberOfTrailingZeros(filled[port]);
        if (queue >= Q) {
            return;
        }
        long now = events.now();
        int slot = port * Q + queue;
        int packet = byRemaining ? best(slot) : head[slot];
        remove(port, queue, packet, now);
        transmit(port, packet, now);
        if (filled[port] != 0) {
            waiting[port] = true;
            events.add(freeAt[port], PORT_FREE, port, 0);
        }
    }

    private void transmit(int port, int packet, long now) {
        long done = now + (long) (packets.bytes(packet) * portPicosPerByte[port]);
        freeAt[port] = done;
        sent[port] += packets.bytes(packet);
        events.add(done + config.delay(), ARRIVAL, packet, port);
    }

    private void remove(int port, int queue, int packet, long now) {
        int slot = port * Q + queue;
        int before = -1;
        for (int other = head[slot]; other != packet; other = packets.next(other)) {
            before = other;
        }
        int after = packets.next(packet);
        if (before < 0) {
            head[slot] = after;
        } else {
            packets.next(before, after);
        }
        if (after < 0) {
            tail[slot] = before;
            if (before < 0) {
                filled[port] &= ~(1 << queue);
            }
        }
        int bytes = packets.bytes(packet);
        queued[slot] -= bytes;
        occupy(port, -bytes, now);
    }

    /** The first packet of the flow that has least left. */
    private int best(int slot) {
        int best = head[slot];
        for (int packet = best; packet >= 0; packet = packets.next(packet)) {
            if (packets.key(packet) < packets.key(best)) {
                best = packet;
            }
        }
        for (int packet = head[slot]; packet >= 0; packet = packets.next(packet)) {
            if (packets.flow(packet) == packets.flow(best) && packets.isAck(packet) == packets.isAck(best)) {
                return packet;
            }
        }
        return best;
    }

    private int worst(int slot) {
        int worst = head[slot];
        for (int packet = worst; packet >= 0; packet = packets.next(packet)) {
            if (packets.key(packet) >= packets.key(worst)) {
                worst = packet;
            }
        }
        return worst;
    }

    /** What the network has seen so far. */
    public FabricStats stats() {
        long now = Math.max(1, events.now());
        double mean = 0;
        double busiest = 0;
        int used = 0;
        for (int port = 0; port < owner.length; port++) {
            if (owner[port] >= hosts && sent[port] > 0) {
                used++;
                double average = (byteTime[port] + (double) inPort[port] * (now - changedAt[port])) / now;
                mean += average;
                busiest = Math.max(busiest, average);
            }
        }
        return new FabricStats(
                Arrays.stream(entered).sum(),
                arrived,
                packets.alive(),
                Arrays.stream(drops).boxed().toList(),
                creditsDropped,
                marks,
                used == 0 ? 0 : mean / used,
                busiest,
                longest);
    }

    /** The mean of the bytes that waited at the port to a host. */
    public double meanQueueTo(int host) {
        int port = hostPort[host] ^ 1;
        long now = Math.max(1, events.now());
        return (byteTime[port] + (double) inPort[port] * (now - changedAt[port])) / now;
    }

    /** Bytes that wait now at the port to a host. */
    public long queueTo(int host) {
        return inPort[hostPort[host] ^ 1];
    }
}
