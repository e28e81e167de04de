package io.leeway.eppi.internal.mpc;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds two numbers on wires from the lowest bit up: one AND a bit. */
final class Adder {

    private @Nullable Wire carry;
    private @Nullable Wire pending;
    private boolean isAsked;

    /** The sum's next bit; what the carry needs goes to the lists, unless this was the last bit. */
    Wire plan(Wire x, Wire y, boolean isLast, List<Wire> left, List<Wire> right) {
        Wire in = carry;
        isAsked = !isLast;
        pending = in;
        if (isAsked) {
            left.add(in == null ? x : x.xor(in));
            right.add(in == null ? y : y.xor(in));
        }
        Wire sum = x.xor(y);
        return in == null ? sum : sum.xor(in);
    }

    /** Takes the product. */
    void take(Iterator<Wire> products) {
        if (isAsked) {
            Wire product = products.next();
            carry = pending == null ? product : product.xor(pending);
        }
    }
}
