package io.leeway.netsim.internal.transport;

import io.leeway.netsim.internal.sim.Rng;
import org.jspecify.annotations.Nullable;

/** The flows that are alive, by number: an open hash table, since every packet looks up its flow. Not thread-safe. */
public final class FlowTable {

    private int[] numbers = new int[64];
    private @Nullable Flow[] flows = new Flow[64];
    private int size;
    private int most;

    private int slot(int number) {
        int mask = numbers.length - 1;
        int slot = (int) Rng.mix(number) & mask;
        while (flows[slot] != null && numbers[slot] != number) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /** The flow of this number; null if it is over. */
    public @Nullable Flow get(int number) {
        return flows[slot(number)];
    }

    /** Adds a flow under a number that is new. */
    public void put(int number, Flow flow) {
        if (size * 2 >= numbers.length) {
            grow();
        }
        int slot = slot(number);
        numbers[slot] = number;
        flows[slot] = flow;
        size++;
        most = Math.max(most, size);
    }

    private void grow() {
        int[] oldNumbers = numbers;
        @Nullable Flow[] oldFlows = flows;
        numbers = new int[oldNumbers.length * 2];
        flows = new Flow[oldNumbers.length * 2];
        for (int i = 0; i < oldNumbers.length; i++) {
            Flow flow = oldFlows[i];
            if (flow != null) {
                int slot = slot(oldNumbers[i]);
                numbers[slot] = oldNumbers[i];
                flows[slot] = flow;
            }
        }
    }

    /** Forgets a flow. Those behind it move up, so that no search ends early. */
    public void remove(int number) {
        int hole = slot(number);
        if (flows[hole] == null) {
            return;
        }
        int mask = numbers.length - 1;
        int next = (hole + 1) & mask;
        flows[hole] = null;
        size--;
        while (flows[next] != null) {
            int home = (int) Rng.mix(numbers[next]) & mask;
            if (((next - home) & mask) >= ((next - hole) & mask)) {
                numbers[hole] = numbers[next];
                flows[hole] = flows[next];
                flows[next] = null;
                hole = next;
            }
            next = (next + 1) & mask;
        }
    }

    /** How many are alive. */
    public int size() {
        return size;
    }

    /** The most that were alive at once. */
    public int most() {
        return most;
    }

    /** Calls for each, in the order of the table, which follows from the numbers. */
    public void each(Visitor visitor) {
        for (int i = 0; i < flows.length; i++) {
            Flow flow = flows[i];
            if (flow != null) {
                visitor.visit(numbers[i], flow);
            }
        }
    }

    /** Is shown flows. */
    public interface Visitor {

        /** One of them. */
        void visit(int number, Flow flow);
    }
}
