package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one database, read when they are first asked for and shared by all connections to it. Thread-safe.
 *
 * <p>Model: an immutable state is replaced as a whole; its version grows whenever something that was told before is no
 * longer so. A reader that finds the version changed under it reads again, so that a state never mixes two moments.
 * What a name means depends on the search path and on tables that do not exist yet; therefore answers are kept by name
 * and path and are checked by {@link #refresh} as the tables themselves are. "No such table" and temporary tables are
 * never kept, nor is anything that a connection reads of the past: in a transaction that began before.
 *
 * <p>Cost: one batch of at most four statements for any number of tables; nothing for tables known.
 *
 * <p>What follows from it (compiled policy, normalised texts, templates, facts) is bound to a version; nobody is told
 * of a change, everybody compares versions before each decision.
 */
public final class LiveSchema implements SchemaVersion {

    /**
     * How long a change made by somebody else can stay unnoticed, in nanoseconds.
     *
     * <p>Only for changes past privoxy: those through a checked connection of the process are known at once
     * ({@link LiveSchemas#suspect}).
     */
    public static final long REFRESH_INTERVAL_NANOS = 60_000_000_000L;

    /** If somebody changes the schema again and again the answer is given all the same, and not kept. */
    private static final int MAX_READS = 3;

    private final Dialect dialect;
    private final Catalog catalog;
    private final List<String> searchPath;
    private final LongSupplier nanoTime;
    // A session with temporary tables of its own sees other tables under the same names, so it has a schema of its
    // own.
    private final boolean isOneSessions;
    private volatile KnownTables known = KnownTables.NONE;
    private final AtomicLong lastRefresh;
    private final AtomicLong refreshes = new AtomicLong();
    private final AtomicLong doubts = new AtomicLong();
    /** Whether something was told that is not kept, so that {@link #refresh} does not look at it. */
    private volatile boolean hasToldMore;
    /**
     * Whether only transactions of the past have asked so far what changes with a table: the next other one reads it.
     */
    private volatile boolean isReachWanted;

    private LiveSchema(
            Dialect dialect, Catalog catalog, List<String> searchPath, LongSupplier nanoTime, boolean isOneSessions) {
        this.dialect = dialect;
        this.catalog = catalog;
        this.searchPath = List.copyOf(searchPath);
        this.nanoTime = nanoTime;
        this.isOneSessions = isOneSessions;
        this.lastRefresh = new AtomicLong(nanoTime.getAsLong());
    }

    /** A schema of its own, about which nothing is known yet; its search path is the connection's present one. */
    public static LiveSchema open(Dialect dialect, Connection connection, LongSupplier nanoTime) throws SQLException {
        Catalog catalog = Catalog.of(dialect, connection);
        return new LiveSchema(dialect, catalog, catalog.searchPath(connection), nanoTime, false);
    }

    /** The same for one session alone, whose temporary tables are there for nobody else. */
    public static LiveSchema openForSession(Dialect dialect, Connection connection, LongSupplier nanoTime)
            throws SQLException {
        Catalog catalog = Catalog.of(dialect, connection);
        return new LiveSchema(dialect, catalog, catalog.searchPath(connection), nanoTime, true);
    }

    /** The present search path of a connection, as {@link TableSource#find} takes it. */
    public List<String> searchPath(Connection connection) throws SQLException {
        return catalog.searchPath(connection);
    }

    public Dialect dialect() {
        return dialect;
    }

    @Override
    public long version() {
        return known.version();
    }

    /** Finds tables, reading them with lent connections and keeping them for everybody. */
    public TableSource through(ConnectionSource connections) {
        return new Source(connections, true);
    }

    /**
     * Finds tables without keeping them: for a transaction that has changed the schema and may yet roll back, which
     * must see its own changes while nobody else does.
     */
    public TableSource privately(ConnectionSource connections) {
        return new Source(connections, false);
    }

    /** What has been read so far. */
    public SchemaSnapshot snapshot() {
        return new SchemaSnapshot(
                dialect,
                searchPath,
                catalog.isSame(new TableId("s", "T"), new TableId("s", "t")),
                catalog.ignoresCaseOfColumns(),
                List.copyOf(known.relations().values()));
    }

    /** Hash of everything read so far; equal for equal tables, whatever the order in which they were read. */
    public String fingerprint() {
        return SchemaText.fingerprint(known.relations().values());
    }

    /**
     * The schema may have changed: the next refresh is due at once.
     *
     * <p>Counted besides, so that whoever compares marks learns of the doubt before anybody has looked.
     */
    public void suspect() {
        doubts.incrementAndGet();
        refreshAtOnce();
    }

    private void refreshAtOnce() {
        lastRefresh.set(nanoTime.getAsLong() - REFRESH_INTERVAL_NANOS);
    }

    /**
     * How far changes are known.
     *
     * <p>Taken before a statement is decided on and compared after its answer, see {@code SessionSchema.isOvertaken}.
     */
    public SchemaMark mark() {
        return new SchemaMark(version(), doubts.get());
    }

    /** Whether {@link #refreshIfDue} would look now. */
    public boolean isRefreshDue() {
        return isReachWanted
                || LiveSchemas.shared().open().concern(this)
                || nanoTime.getAsLong() - lastRefresh.get() >= REFRESH_INTERVAL_NANOS;
    }

    /** How often the tables were looked at again. */
    public long refreshes() {
        return refreshes.get();
    }

    /** Forgets everything. */
    public void invalidate() {
        synchronized (this) {
            known = new KnownTables(known.version() + 1, Map.of(), Map.of(), Set.of(), null);
        }
    }

    /**
     * Reads again all that is known.
     *
     * @return the tables about which something else is now true, by canonical name; those that are gone, and those that
     *     a name no longer means, included
     */
    public Set<String> refresh(Connection connection) throws SQLException {
        lastRefresh.set(nanoTime.getAsLong());
        // Until nobody else has found another change meanwhile.
        while (true) {
            KnownTables old = known;
            var asked = new LinkedHashSet<>(old.relations().keySet());
            old.names().keySet().forEach(key -> asked.addAll(candidates(key)));
            // Also for what was told not to be there.
            old.absent().forEach(key -> asked.addAll(candidates(key)));
            Map<TableId, Relation> found = catalog.read(connection, asked);
            var changed = new HashSet<String>();
            WriteReach reach = old.reach();
            if (reach != null) {
                WriteReach now = catalog.writeReach(connection);
                changed.addAll(reach.differences(now));
                // With or without sight of triggers everything about writes is another answer.
                if (reach.known() != now.known()) {
                    old.relations().keySet().forEach(id -> changed.add(id.canonical()));
                }
                reach = now;
            }
            KnownTables reread = reread(old, found, changed).withReach(reach);
            // Otherwise another thread has found a change meanwhile, and what was compared with is out of date.
            if (replace(old, reread, changed.isEmpty())) {
                refreshes.incrementAndGet();
                return changed;
            }
        }
    }

    /**
     * Whether all that was told in a version is found to be so now.
     *
     * <p>Asked after an answer: a statement may have waited in the server for the end of a change that was made after
     * the decision ({@code WaitingStatementsIT}). What was told and not kept cannot be looked at again, so it counts as
     * changed.
     */
    public boolean isStill(long version, Connection connection) throws SQLException {
        refresh(connection);
        return !hasToldMore && version() == version;
    }

    private KnownTables reread(KnownTables old, Map<TableId, Relation> found, Set<String> changed) {
        var names = new HashMap<KnownTables.Name, TableId>();
        old.names().forEach((key, id) -> {
            TableId now = choose(key, found.keySet());
            // A schema earlier on the search path may have got a table of that name: then the name means that one,
            // although the old table is as it was.
            if (id.equals(now)) {
                names.put(key, id);
            } else {
                changed.add(id.canonical());
            }
        });
        var relations = new LinkedHashMap<TableId, Relation>();
        old.relations().forEach((id, relation) -> {
            Relation now = found.get(id);
            if (!relation.equals(now)) {
                changed.add(id.canonical());
            }
            if (now != null && now.kind() != Relation.Kind.TEMPORARY) {
                relations.put(id, now);
            }
        });
        names.values().retainAll(relations.keySet());
        var absent = new HashSet<>(old.absent());
        for (KnownTables.Name key : old.absent()) {
            TableId now = choose(key, found.keySet());
            if (now != null) {
                absent.remove(key);
                changed.add(now.canonical());
            }
        }
        return new KnownTables(old.version() + (changed.isEmpty() ? 0 : 1), names, relations, absent, null);
    }

    /**
     * What somebody else has read meanwhile is kept if nothing changed, and otherwise has to be read again.
     *
     * @return false if what was compared with is no longer what is known
     */
    private synchronized boolean replace(KnownTables old, KnownTables reread, boolean unchanged) {
        if (known.version() != old.version()) {
            return false;
        }
        known = unchanged ? known.withReach(reread.reach()) : reread;
        return true;
    }

    /** As {@link #refresh}, if the last one is an interval ago; to be called often. Only one caller does it. */
    public Set<String> refreshIfDue(ConnectionSource connections) throws SQLException {
        // A look at the past finds nothing new, and would put off the next real one by a minute.
        if (connections.readsThePast()) {
            return Set.of();
        }
        if (isReachWanted) {
            isReachWanted = false;
            long version = known.version();
            keepReach(version, connections.with(catalog::writeReach));
        }
        long last = lastRefresh.get();
        long now = nanoTime.getAsLong();
        // While a change is under way, each who asks looks for himself.
        boolean changing = LiveSchemas.shared().open().concern(this);
        if (!changing && (now - last < REFRESH_INTERVAL_NANOS || !lastRefresh.compareAndSet(last, now))) {
            return Set.of();
        }
        try {
            return connections.with(changing ? this::refreshForChanges : this::refresh);
        } catch (SQLException failed) {
            // The look has failed, so the next decision has to make it; otherwise a broken connection would hide a
            // change for a minute.
            refreshAtOnce();
            throw failed;
        }
    }

    private Set<String> refreshForChanges(Connection connection) throws SQLException {
        OpenChanges changes = LiveSchemas.shared().open();
        // Asked before the look: a change whose session is gone by now has been made or never will be, so that the
        // look sees it.
        List<SchemaChange> ending = changes.ending(this, connection);
        Set<String> changed = refresh(connection);
        changes.settle(this, ending);
        return changed;
    }

    /** What may have changed after a write to a table: cascades, inheritance, triggers, and views of the database. */
    public Reach reach(Connection connection, String table) throws SQLException {
        return reach(connection, table, true);
    }

    private Reach reach(Connection connection, String table, boolean keep) throws SQLException {
        KnownTables current = known;
        Relation written = current.named(table);
        // A write to a view may reach any table behind it.
        if (written != null && written.kind() != Relation.Kind.TABLE) {
            return Reach.EVERYTHING;
        }
        WriteReach reach = current.reach();
        if (reach == null) {
            reach = catalog.writeReach(connection);
            if (keep) {
                keepReach(current.version(), reach);
            } else {
                // A transaction of the past read it for itself, of the past; the next other one reads it for all,
                // so that not each such transaction asks again (RoundTripsIT).
                isReachWanted = true;
            }
        }
        return withViews(reach.from(table), current.relations().values());
    }

    private synchronized void keepReach(long version, WriteReach reach) {
        if (known.version() == version) {
            known = known.withReach(reach);
        }
    }

    /**
     * The temporary schema of one session may hide tables from it, and be another's under the same name later.
     *
     * <p>PostgreSQL gives names like pg_temp_3 to sessions in turn: the next one's table of that name is another.
     */
    private boolean hasTemporarySchema(List<String> path) {
        return !isOneSessions && path.stream().anyMatch(schema -> schema.startsWith("pg_temp"));
    }

    /**
     * A view of the database may show any table's rows, and its definition is not looked into; so facts about views go
     * with every write.
     */
    private static Reach withViews(Reach reach, Collection<Relation> known) {
        if (reach.everything()) {
            return reach;
        }
        var tables = new HashSet<>(reach.tables());
        for (Relation relation : known) {
            if (relation.kind() == Relation.Kind.VIEW) {
                tables.add(relation.table().name());
            }
        }
        return new Reach(tables, false, reach.alone(), reach.moving());
    }

    private List<TableId> candidates(KnownTables.Name key) {
        return catalog.candidates(key.parts(), key.searchPath());
    }

    private @Nullable TableId choose(KnownTables.Name key, Collection<TableId> found) {
        for (TableId candidate : candidates(key)) {
            for (TableId id : found) {
                if (catalog.isSame(candidate, id)) {
                    return id;
                }
            }
        }
        return null;
    }

    /**
     * Reads the tables that the names can mean, and keeps them unless the state changed meanwhile.
     *
     * <p>If the version moved while it read, it reads again: an answer of two moments could have one table with the
     * keys of before and another with those of after.
     */
    private Map<KnownTables.Name, Relation> load(Collection<KnownTables.Name> keys, Connection connection, boolean keep)
            throws SQLException {
        var asked = new LinkedHashSet<TableId>();
        keys.forEach(key -> asked.addAll(candidates(key)));
        for (int attempt = 1; ; attempt++) {
            // Before the read: what was read under another version would be mixed with it.
            long version = known.version();
            Map<TableId, Relation> found = asked.isEmpty() ? Map.of() : catalog.read(connection, asked);
            var answers = new HashMap<KnownTables.Name, Relation>();
            var names = new HashMap<KnownTables.Name, TableId>();
            for (KnownTables.Name key : keys) {
                TableId id = choose(key, found.keySet());
                Relation relation = id == null ? null : found.get(id);
                if (id != null && relation != null) {
                    answers.put(key, relation);
                    // It is there for one session.
                    // It is there for one session.
                    if (relation.kind() != Relation.Kind.TEMPORARY) {
                        names.put(key, id);
                    }
                }
            }
            if (names.keySet().removeIf(key -> hasTemporarySchema(key.searchPath()))) {
                hasToldMore = true;
            }
            if (!keep || names.isEmpty() || keep(version, names, found)) {
                return answers;
            }
            if (attempt == MAX_READS) {
                hasToldMore = true;
                return answers;
            }
        }
    }

    /** Notes that a name means nothing; false if there are too many of them. */
    private synchronized boolean keepAbsent(KnownTables.Name key) {
        if (known.absent().size() >= KnownTables.MAX_NAMES) {
            // Too many names that mean nothing: who relies on one more is told that it cannot be relied on.
            return false;
        }
        known = known.plusAbsent(key);
        return true;
    }

    private synchronized boolean keep(
            long version, Map<KnownTables.Name, TableId> names, Map<TableId, Relation> found) {
        if (known.version() != version) {
            return false;
        }
        known = known.plus(names, found);
        return true;
    }

    private final class Source implements TableSource {

        private final ConnectionSource connections;
        private final boolean shared;

        Source(ConnectionSource connections, boolean shared) {
            this.connections = connections;
            this.shared = shared;
        }

        /** Nothing of a transaction's own schema, and nothing of the past. */
        private boolean keeps() {
            return shared && !connections.readsThePast();
        }

        @Override
        public @Nullable Relation find(List<String> name, List<String> path) {
            var key = new KnownTables.Name(name, path);
            // A transaction that has changed the schema must see its own tables, so it never gets what is known to
            // all.
            Relation relation = shared && !hasTemporarySchema(path) ? known.find(key) : null;
            return relation != null ? relation : load(List.of(key)).get(key);
        }

        @Override
        public boolean isAbsent(List<String> name, List<String> path) {
            var key = new KnownTables.Name(name, path);
            // Who relies on there being no table is told later only if it was noted.
            return find(name, path) == null && (!keeps() || known.absent().contains(key) || keepAbsent(key));
        }

        @Override
        public @Nullable Relation known(String canonical) {
            return known.named(canonical);
        }

        @Override
        public Reach reach(String canonical) {
            try {
                return connections.with(connection -> LiveSchema.this.reach(connection, canonical, keeps()));
            } catch (SQLException e) {
                throw new SchemaUnavailableException(e);
            }
        }

        @Override
        public void prefetch(List<List<String>> names, List<String> path) {
            // Nothing would be kept, so to read ahead would read twice.
            if (!shared) {
                return;
            }
            KnownTables current = known;
            var unknown = new ArrayList<KnownTables.Name>();
            for (List<String> name : names) {
                var key = new KnownTables.Name(name, path);
                if (current.find(key) == null) {
                    unknown.add(key);
                }
            }
            if (!unknown.isEmpty()) {
                load(unknown);
            }
        }

        private Map<KnownTables.Name, Relation> load(List<KnownTables.Name> keys) {
            try {
                return connections.with(connection -> LiveSchema.this.load(keys, connection, keeps()));
            } catch (SQLException e) {
                throw new SchemaUnavailableException(e);
            }
        }

        @Override
        public int column(Table table, String name) {
            return Columns.position(table, name, catalog.ignoresCaseOfColumns());
        }

        @Override
        public List<String> searchPath() {
            return searchPath;
        }

        @Override
        public List<String> names(List<String> path) {
            try {
                return connections.with(connection -> catalog.names(connection, path)).stream()
                        .map(TableId::canonical)
                        .toList();
            } catch (SQLException e) {
                throw new SchemaUnavailableException(e);
            }
        }

        @Override
        public Schema schema() {
            return snapshot().schema();
        }
    }
}
