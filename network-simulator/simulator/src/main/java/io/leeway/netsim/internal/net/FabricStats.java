package io.leeway.netsim.internal.net;

import java.util.List;

/**
 * What a network has seen. Packets are conserved: {@code entered = arrived + alive + dropped}.
 *
 * @param entered packets that hosts sent
 * @param arrived packets that reached their hosts
 * @param alive packets on their way
 * @param drops packets dropped, by queue, without credits
 * @param creditsDropped credits dropped, which is how credits find the rate
 * @param marks times that queue 0 was above its mark
 * @param meanQueue bytes that waited at a switch port, mean over time and over the ports that sent anything
 * @param busiestQueue the same at the port where it is most
 * @param longestQueue the most bytes that ever waited at a switch port
 */
public record FabricStats(
        long entered,
        long arrived,
        long alive,
        List<Long> drops,
        long creditsDropped,
        long marks,
        double meanQueue,
        double busiestQueue,
        long longestQueue) {

    /** Copies. */
    public FabricStats {
        drops = List.copyOf(drops);
    }

    /** All packets dropped, credits too. */
    public long dropped() {
        return creditsDropped + drops.stream().mapToLong(Long::longValue).sum();
    }
}
