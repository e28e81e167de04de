package io.leeway.privoxy.internal.normalize;

import java.util.ArrayList;
import java.util.List;

/**
 * What of its rows a block gives away.
 *
 * <p>Items and others are told apart as a set shows its items only: rows of {@code SELECT DISTINCT x … ORDER BY y} are
 * equal if their items are, and yet y shows in the order.
 *
 * @param items the columns of its result
 * @param others what else the result depends on: sort keys, groups, HAVING
 */
record Outputs(List<Reader> items, List<Reader> others) {

    static final Outputs NONE = new Outputs(List.of(), List.of());

    Outputs {
        items = List.copyOf(items);
        others = List.copyOf(others);
    }

    /** An expression, read anew for each choice of optional parts that are absent. */
    interface Reader {
        Operand read(Absence now);
    }

    List<Operand> readItems(Absence now) {
        return read(items, now);
    }

    List<Operand> readAll(Absence now) {
        List<Operand> operands = readItems(now);
        operands.addAll(read(others, now));
        return operands;
    }

    /** All readers, of columns first. */
    List<Reader> all() {
        List<Reader> all = new ArrayList<>(items);
        all.addAll(others);
        return all;
    }

    private static List<Operand> read(List<Reader> readers, Absence now) {
        List<Operand> operands = new ArrayList<>(readers.size());
        for (Reader reader : readers) {
            operands.add(reader.read(now));
        }
        return operands;
    }
}
