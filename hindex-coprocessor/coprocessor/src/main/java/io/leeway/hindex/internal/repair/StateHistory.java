package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.RowState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Model: a write under the row's lock computes the state that it leads to, and writes the entry of that state. So the entries
 * that a row ever had are those of its states after each write, in the order in which writes arrived, which is that of
 * sequence ids; timestamps tell what is visible in each state, not when it was. Writes of one batch share a sequence id and
 * have growing timestamps: states in between are taken to have had entries as well, since removing what is not there does no
 * harm. The store may set old sequence ids to nought; it does so in compactions of all files, which leave only what the last
 * state before consists of.
 *
 * What a compaction of all files may drop changes no state, neither now nor later: a put that arrives behind a delete, and what
 * stands behind the kept versions when one of these is deleted, are deleted themselves (see RowChange). So a state is what the
 * newest visible cell of each column says.
 *
 * Cost: logarithmic for a cell, in the number of versions of its column.
 */
/**
 * The states that a row went through in the columns of one index. Made of all that is known of one row, by writes of it
 * and by compactions of all files. For one thread.
 */
public final class StateHistory {

    private static final Comparator<Fact> BY_ARRIVAL =
            Comparator.comparingLong(Fact::sequence).thenComparingLong(Fact::timestamp);

    private final IndexPlan index;
    private final List<Column> columns = new ArrayList<>();
    private final List<Former> former = new ArrayList<>();
    private RowState current;

    private StateHistory(IndexPlan index) {
        this.index = index;
        for (int column = 0; column < index.columns().size(); column++) {
            columns.add(new Column());
        }
        this.current = new RowState(columns.size());
    }

    /** With the sequence id of the write that ended it. */
    private record Former(RowState state, long endedBy) {}

    /** What these facts tell, of which later ones with the same sequence id arrived later. */
    public static StateHistory of(IndexPlan index, Collection<Fact> facts) {
        var history = new StateHistory(index);
        @Nullable Fact last = null;
        for (Fact fact : facts.stream().sorted(BY_ARRIVAL).toList()) {
            if (last != null && BY_ARRIVAL.compare(last, fact) != 0) {
                history.endState(last.sequence());
            }
            history.add(fact);
            last = fact;
        }
        if (last != null) {
            history.endState(last.sequence());
        }
        return history;
    }

    private void add(Fact fact) {
        if (fact.column() == Fact.ALL_COLUMNS) {
            columns.forEach(column -> column.add(fact));
        } else {
            columns.get(fact.column()).add(fact);
        }
    }

    /** Looked at when the next fact is of another write: what a batch does to several columns is one step. */
    private void endState(long sequence) {
        var next = new RowState(columns.size());
        for (int column = 0; column < columns.size(); column++) {
            Map.Entry<Long, byte[]> newest = columns.get(column).visible.lastEntry();
            if (newest != null) {
                next.set(column, newest.getValue(), newest.getKey());
            }
        }
        if (!next.isSame(current)) {
            former.add(new Former(current, sequence));
            current = next;
        }
    }

    /** The state now. */
    public RowState current() {
        return current;
    }

    /** The entries of the state now. */
    public Set<Entry> currentEntries(byte[] row) {
        return new HashSet<>(index.entries(row, current));
    }

    /** The entries of all former states that ended after a sequence id, but for those that the state now has. */
    public Set<Entry> formerEntries(byte[] row, long after) {
        var entries = new HashSet<Entry>();
        for (Former each : former) {
            if (each.endedBy > after) {
                entries.addAll(index.entries(row, each.state));
            }
        }
        entries.removeAll(currentEntries(row));
        return entries;
    }

    /** The entries of the state now and of all before. */
    public Set<Entry> allEntries(byte[] row) {
        Set<Entry> entries = formerEntries(row, Long.MIN_VALUE);
        entries.addAll(currentEntries(row));
        return entries;
    }

    /**
     * Whether a column shows, or would show without newer ones, the put of this timestamp.
     *
     * <p>When not, a delete hides it, which may be purged before it.
     */
    public boolean shows(int column, long timestamp) {
        return columns.get(column).visible.containsKey(timestamp);
    }

    /**
     * Where those begin that stand behind the kept versions, if one of these has this timestamp.
     *
     * @return the newest timestamp of them; null if there are none, or none of the kept has this timestamp
     */
    public @Nullable Long behindKept(int column, long timestamp, int kept) {
        boolean hit = false;
        int place = 0;
        for (Long each : columns.get(column).visible.descendingKeySet()) {
            if (place == kept) {
                return hit ? each : null;
            }
            hit |= each == timestamp;
            place++;
        }
        return null;
    }

    /**
     * The puts of one column that no delete hides.
     *
     * <p>As time goes by: a put that arrives behind a delete is hidden by it, as HBase has it until the delete is
     * purged.
     */
    private static final class Column {

        private final NavigableMap<Long, byte[]> visible = new TreeMap<>();
        private final Set<Long> versionsDeleted = new HashSet<>();
        private long deletedUpTo = Long.MIN_VALUE;

        void add(Fact fact) {
            switch (fact.kind()) {
                case DELETE_UP_TO -> {
                    deletedUpTo = Math.max(deletedUpTo, fact.timestamp());
                    visible.headMap(fact.timestamp(), true).clear();
                }
                case DELETE_VERSION -> {
                    versionsDeleted.add(fact.timestamp());
                    visible.remove(fact.timestamp());
                }
                case PUT -> {
                    if (fact.timestamp() > deletedUpTo && !versionsDeleted.contains(fact.timestamp())) {
                        visible.put(fact.timestamp(), fact.value());
                    }
                }
            }
        }
    }
}
