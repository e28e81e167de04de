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
 * @param recording what its rows tell
 * @param slots the expected type of each slot; slots are JDBC parameters and lifted literals in textual order
 * @param reads tables read
 * @param changes what is done to tables; facts that may be untrue afterwards are forgotten
 * @param columns how many the result has; {@link #ANY_NUMBER} if that is not known, or there is none or are several
 */
public record StatementPlan(
        Kind kind,
        List<Obligation> obligations,
        Recording recording,
        List<ColumnType> slots,
        Set<String> reads,
        List<Change> changes,
        int columns) {

    /** Of columns. */
    public static final int ANY_NUMBER = -1;

    /** The name that stands for all tables in a {@link Change.Any}. */
    public static final String ANYTHING = "*";

    /** A statement of whose result nothing is known. */
    public StatementPlan(
            Kind kind,
            List<Obligation> obligations,
            Recording recording,
            List<ColumnType> slots,
            Set<String> reads,
            List<Change> changes) {
        this(kind, obligations, recording, slots, reads, changes, ANY_NUMBER);
    }

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

    public StatementPlan {
        obligations = List.copyOf(obligations);
        slots = List.copyOf(slots);
        reads = Set.copyOf(reads);
        changes = List.copyOf(changes);
    }

    /** Names of the tables written. */
    public Set<String> writes() {
        return changes.stream().map(Change::table).collect(Collectors.toUnmodifiableSet());
    }
}
