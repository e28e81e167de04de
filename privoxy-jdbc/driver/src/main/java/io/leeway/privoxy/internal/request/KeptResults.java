package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The results that a trace keeps: what of them may be used from where, what contradicts what, and how much there may be.
 * Not thread-safe: used under the trace's lock.
 *
 * <p>A snapshot is made once per change, so that deciding without a change in between costs nothing.
 */
final class KeptResults {

    private final ArrayDeque<TraceResult> results = new ArrayDeque<>();
    private final IdentityHashMap<ConjunctiveQuery, List<TraceResult>> byQuery = new IdentityHashMap<>();
    private final Coherence coherence = new Coherence();

    private Trace.Bounds bounds;
    private int cells;
    private long version;
    /**
     * What was derived from facts (that they can hold together, an index) stays right as long as facts are only added.
     */
    private long epoch;
    /** How many results only one transaction may use. */
    private int narrow;
    /**
     * What all results have in common; if not, what the first had, and all of another count as narrow.
     *
     * <p>Nearly all results of a request are read under the same settings, so one text for all tells in a glance
     * whether any of them has to be passed over.
     */
    private String meaning = "";

    private @Nullable List<TraceEntry> snapshot = List.of();
    /** What was visible when it was last asked for from a standpoint that does not see all. */
    private List<TraceEntry> seen = List.of();

    private @Nullable Standpoint seenFrom;
    private long seenVersion;

    KeptResults(Trace.Bounds bounds) {
        this.bounds = bounds;
    }

    // --- what may be used --------------------------------------------------------------------------------------------

    long version() {
        return version;
    }

    long epoch() {
        return epoch;
    }

    int size() {
        return results.size();
    }

    int cells() {
        return cells;
    }

    List<TraceEntry> entries() {
        List<TraceEntry> known = snapshot;
        if (known == null) {
            known = snapshot(results);
            snapshot = known;
        }
        return known;
    }

    List<TraceEntry> entriesOf(ConjunctiveQuery query) {
        List<TraceResult> known = byQuery.get(query);
        return known == null ? List.of() : snapshot(known);
    }

    List<TraceEntry> entries(Standpoint from) {
        if (isAllVisible(from)) {
            return entries();
        }
        if (version != seenVersion || !from.equals(seenFrom)) {
            seen = snapshot(visible(results, from));
            seenFrom = from;
            seenVersion = version;
        }
        return seen;
    }

    List<TraceEntry> entriesOf(ConjunctiveQuery query, Standpoint from) {
        List<TraceResult> known = byQuery.get(query);
        if (known == null) {
            return List.of();
        }
        return snapshot(isAllVisible(from) ? known : visible(known, from));
    }

    /** Whether all was read from standpoints like this one, as is usual. */
    private boolean isAllVisible(Standpoint from) {
        return results.isEmpty()
                || narrow == 0
                        && from.moment() == Standpoint.NOW
                        && from.meaning().equals(meaning);
    }

    private static List<TraceResult> visible(Iterable<TraceResult> all, Standpoint from) {
        List<TraceResult> visible = new ArrayList<>();
        for (TraceResult result : all) {
            if (result.isVisibleFrom(from)) {
                visible.add(result);
            }
        }
        return visible;
    }

    private static List<TraceEntry> snapshot(Iterable<TraceResult> results) {
        var entries = new ArrayList<TraceEntry>();
        for (TraceResult result : results) {
            entries.add(result.entry());
        }
        return List.copyOf(entries);
    }

    /** Whether some standpoint that sees other results does not see this one. */
    private boolean isNarrow(TraceResult result) {
        return !result.isShared() || !result.meaning().equals(meaning);
    }

    // --- what comes --------------------------------------------------------------------------------------------------

    Trace.Bounds bounds() {
        return bounds;
    }

    /** Changes the bounds; what exceeds them is forgotten, oldest first. */
    void limit(Trace.Bounds wanted) {
        if (!bounds.equals(wanted)) {
            bounds = wanted;
            makeRoom(null);
        }
    }

    /** A result is visible from now on. */
    void enter(TraceResult result) {
        if (results.isEmpty() && narrow == 0) {
            meaning = result.meaning();
        }
        narrow += isNarrow(result) ? 1 : 0;
        results.addLast(result);
        byQuery.computeIfAbsent(result.query(), query -> new ArrayList<>()).add(result);
        coherence.enter(result);
    }

    /** Counts cells that a result has got, or has no more. */
    void count(int more) {
        cells += more;
    }

    /**
     * A result has got a row.
     *
     * @return false if it has to go again, as it contradicts what is newer
     */
    boolean stands(TraceResult result, @Nullable Value[] row) {
        Set<TraceResult> contradicted = coherence.add(result, row);
        return contradicted.isEmpty() || displace(result, contradicted, row);
    }

    /**
     * Takes out what contradicts a new answer, the older of both; false if the new one is to go.
     *
     * <p>Newer wins, as it is what the application goes on with. If neither is older both go: to choose would be to
     * guess.
     */
    private boolean displace(TraceResult result, Set<TraceResult> contradicted, @Nullable Value[] row) {
        boolean stays = true;
        for (TraceResult other : contradicted) {
            if (other == result || other.moment() <= result.moment()) {
                other.removeContradicting(result, row);
                settle(other);
                epoch++;
            }
            stays &= other != result && other.moment() < result.moment();
        }
        changed();
        return stays;
    }

    /** What a transaction has read until it commits is everybody's. */
    void share(Object transaction) {
        boolean shared = false;
        for (TraceResult result : results) {
            if (result.isOf(transaction) && result.share()) {
                narrow -= isNarrow(result) ? 0 : 1;
                shared = true;
            }
        }
        if (shared) {
            changed();
        }
    }

    void changed() {
        version++;
        snapshot = null;
    }

    // --- what goes ---------------------------------------------------------------------------------------------------

    void forget(Predicate<TraceResult> which) {
        if (results.removeIf(result -> which.test(result) && drop(result))) {
            epoch++;
            changed();
        }
    }

    /** After rows were taken out of a result. */
    void settle(TraceResult result) {
        if (result.rows() == 0) {
            results.remove(result);
            drop(result);
        } else {
            coherence.renew(result);
        }
    }

    private boolean drop(TraceResult result) {
        coherence.leave(result);
        narrow -= isNarrow(result) ? 1 : 0;
        cells -= result.cells();
        result.die();
        List<TraceResult> same = byQuery.get(result.query());
        if (same != null) {
            same.remove(result);
            if (same.isEmpty()) {
                byQuery.remove(result.query());
            }
        }
        return true;
    }

    /**
     * Drops the oldest results until the bounds hold, never {@code keep}.
     *
     * <p>The oldest first: proofs mostly need what was read shortly before.
     */
    void makeRoom(@Nullable TraceResult keep) {
        boolean dropped = false;
        var all = results.iterator();
        while (all.hasNext() && (results.size() > bounds.entries() || cells > bounds.cells())) {
            TraceResult oldest = all.next();
            if (oldest != keep) {
                all.remove();
                dropped = drop(oldest);
            }
        }
        if (dropped) {
            epoch++;
            changed();
        }
    }

    /** Takes out what is not surely so after a change. */
    void outlive(Change change, IntFunction<Value> slots) {
        Set<String> table = Set.of(change.table());
        boolean lost = false;
        for (TraceResult result : List.copyOf(results)) {
            // Results that keep their rows stay; what is still to come of an open one does not, as nobody knows
            // which of its rows the server had fetched before.
            if (result.mentionsAny(table) && result.loses(change, slots)) {
                lost = true;
                settle(result);
            }
        }
        if (lost) {
            epoch++;
            changed();
        }
    }

    /** Keeps nothing from now on. */
    void end() {
        // What is still read finds no room.
        bounds = Trace.Bounds.NOTHING;
        results.clear();
        byQuery.clear();
        seen = List.of();
        seenFrom = null;
        narrow = 0;
        cells = 0;
        epoch++;
        changed();
    }
}
