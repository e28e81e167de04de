package io.leeway.approx.atp;

import org.jspecify.annotations.Nullable;

/**
 * One packet on its way, a part of a message or a whole one.
 *
 * @param <M> what a message is to the driver
 * @param number grows with every transmission of the flow, from 0; never used twice
 * @param queue the priority queue it travels in
 * @param job the job
 * @param group the group
 * @param message the message's number in its group, from 0
 * @param length the message's length in bytes
 * @param index which part of the message, from 0
 * @param parts how many parts the message has
 * @param bytes bytes of the message in this packet
 * @param ordered whether the group's messages are to be handed up in order
 * @param resent whether this part was sent before
 * @param probe whether it carries nothing and asks for an acknowledgement only
 * @param payload the whole message, of which this packet carries its part
 * @param overhead bytes that the packet is longer than what it carries
 */
public record Packet<M>(
        long number,
        int queue,
        int job,
        int group,
        int message,
        int length,
        int index,
        int parts,
        int bytes,
        boolean ordered,
        boolean resent,
        boolean probe,
        @Nullable M payload,
        int overhead) {

    /** Its length in the network. */
    public int wireBytes() {
        return bytes + overhead;
    }
}
