package io.leeway.privoxy.internal.model;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A statement as the checker sees it: everything that depends on its text and the schema, nothing that depends on
 * values. Made once per text.
 *
 * @param kind what is done with it
 * @param obligations what must be compliant for its result (rows or counts) to be given
 * @param splits those obligations that have rows of several references to tables, with these told apart
 * @param held which rows that it reads it locks or writes
 * @param recording what its rows tell
 * @param slots the expected type of each slot; slots are JDBC parameters and lifted literals in textual order
 * @param reads tables read
 * @param outsideSnapshots those of them that a transaction with a snapshot reads as they are now
 * @param changes what is done to tables; facts that may be untrue afterwards are forgotten
 * @param columns how many the result has; {@link #ANY_NUMBER} if that is not known, or there is none or are several
 */
public record StatementPlan(
        Kind kind,
        List<Obligation> obligations,
        List<SplitObligation> splits,
        Held held,
        Recording recording,
        List<ColumnType> slots,
        Set<String> reads,
        Set<String> outsideSnapshots,
        List<Change> changes,
        int columns) {

    /** Of columns. */
    public static final int ANY_NUMBER = -1;

    /** The name that stands for all tables in a {@link Change.Any}. */
    public static final String ANYTHING = "*";

    /** What a statement is, to the driver. */
    public enum Kind {
        /** Returns rows of tables. */
        QUERY,
        /** Writes, and may return rows or a count. */
        WRITE,
        /** Transaction control: BEGIN, COMMIT, SAVEPOINT … */
        TRANSACTION,
        /** Session settings and other statements without table data that are known to be harmless. */
        SESSION,
        /** Changes the schema. */
        DDL
    }

    /** What is locked or written of that which is read, and so is read as it is then. */
    public enum Held {
        NOTHING,
        SOME,
        ALL
    }

    public StatementPlan {
        obligations = List.copyOf(obligations);
        splits = List.copyOf(splits);
        slots = List.copyOf(slots);
        reads = Set.copyOf(reads);
        outsideSnapshots = Set.copyOf(outsideSnapshots);
        changes = List.copyOf(changes);
    }

    /** One that names no two tables, and of whose result nothing is known. */
    public StatementPlan(
            Kind kind,
            List<Obligation> obligations,
            Recording recording,
            List<ColumnType> slots,
            Set<String> reads,
            List<Change> changes) {
        this(kind, obligations, List.of(), Held.NOTHING, recording, slots, reads, Set.of(), changes, ANY_NUMBER);
    }

    /** Whether it locks or writes rows that it reads. */
    public boolean locks() {
        return held != Held.NOTHING;
    }

    /** Names of the tables written. */
    public Set<String> writes() {
        return changes.stream().map(Change::table).collect(Collectors.toUnmodifiableSet());
    }
}
