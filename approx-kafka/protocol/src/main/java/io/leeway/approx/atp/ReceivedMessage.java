package io.leeway.approx.atp;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of which some parts have arrived. */
final class ReceivedMessage<M> {

    final int id;
    final int length;
    private final List<@Nullable M> parts;
    private final BitSet arrived = new BitSet();

    /** Bytes of the parts that have arrived. */
    int bytes;

    ReceivedMessage(int id, int length, int parts) {
        this.id = id;
        this.length = length;
        this.parts = new ArrayList<>(Collections.nCopies(parts, null));
    }

    boolean accepts(Packet<M> packet) {
        return packet.length() == length && packet.parts() == parts.size() && !arrived.get(packet.index());
    }

    void add(Packet<M> packet) {
        arrived.set(packet.index());
        parts.set(packet.index(), packet.payload());
        bytes += packet.bytes();
    }

    boolean complete() {
        return arrived.cardinality() == parts.size();
    }

    List<@Nullable M> parts() {
        return parts;
    }
}
