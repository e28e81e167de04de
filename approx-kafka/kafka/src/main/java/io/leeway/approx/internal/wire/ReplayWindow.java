package io.leeway.approx.internal.wire;

import java.util.BitSet;

/** Which of the last {@value #SPAN} numbers were seen: each is accepted once, older ones never. */
public final class ReplayWindow {

    /** How far behind the highest number one may come. */
    public static final int SPAN = 4_096;

    private final BitSet seen = new BitSet(SPAN);
    private long top = -1;

    /** Whether this number has not been seen; it has, from now on. */
    public boolean accept(long number) {
        if (number < 0 || number <= top - SPAN) {
            return false;
        }
        if (number > top) {
            forget(number);
            top = number;
        }
        int slot = (int) (number % SPAN);
        if (seen.get(slot)) {
            return false;
        }
        seen.set(slot);
        return true;
    }

    private void forget(long upTo) {
        if (upTo - top >= SPAN) {
            seen.clear();
            return;
        }
        for (long number = top + 1; number <= upTo; number++) {
            seen.clear((int) (number % SPAN));
        }
    }
}
