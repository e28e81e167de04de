package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Changing the database through a result: the driver makes SQL of its own for that, so the guard decides on the
 * statement that the driver has to make. Where table or key are not known for certain, the change is refused.
 *
 * <p>Drivers make their SQL of table, key and the values that were set, and keep values that the application has
 * dropped, each at other moves ({@code DriverLeftoversIT}, {@code NinthAttackStateIT}). So this keeps no more than is
 * certain, and after a value was dropped nothing is written, deleted or read by that result any more.
 */
final class UpdatableRow {

    private final Session session;
    private final ResultSet result;
    private final Map<Integer, @Nullable Object> values = new TreeMap<>();
    private final @Nullable String text;
    private @Nullable UpdatableTable table;

    /** The driver may still hold values that were set before: each driver drops them at other moves than the others. */
    private boolean uncertain;

    private boolean inserts;

    /**
     * The changes of a result's row.
     *
     * <p>Made with the first change, as most results are only read.
     *
     * @param text that the result is of, or null if nobody knows
     */
    UpdatableRow(Session session, ResultSet result, @Nullable String text) {
        this.session = session;
        this.text = text;
        this.result = result;
    }

    /**
     * A cell was changed.
     *
     * <p>Also of a key: no row is changed, deleted or read again by a key that is set so, see {@link #keyValues}.
     */
    void set(int column, @Nullable Object value) {
        values.put(column, value);
    }

    /**
     * The cursor goes to the row that is inserted.
     *
     * <p>What was set on the row before is dropped by some drivers and kept by others.
     */
    void toInsertRow() {
        leave();
        inserts = true;
    }

    /** The cursor comes back from the row that is inserted. */
    void toCurrentRow() {
        leave();
        inserts = false;
    }

    /** What was set is dropped. Of a row that is there all drivers drop it; of one that is inserted not. */
    void cancel() {
        if (inserts) {
            leave();
        } else {
            values.clear();
        }
    }

    /** The cursor leaves the row. */
    void leave() {
        // MariaDB's driver found rows by keys that were set in a row that the cursor had left.
        uncertain |= !values.isEmpty();
        values.clear();
    }

    void insert(Act<ResultSet> real) throws SQLException {
        UpdatableTable known = table();
        var statements = new ArrayList<Synthetic>();
        String names = names(known, ", ", "");
        String marks = values.keySet().stream().map(column -> "?").collect(Collectors.joining(", "));
        String sql = "INSERT INTO " + known.name() + " (" + names + ") VALUES (" + marks + ")";
        statements.add(new Synthetic(sql, new ArrayList<>(values.values())));
        // Decided on together with the write, as the driver does both in one call.
        if (isReadAgain()) {
            statements.add(select(known, false));
        }
        run(statements, real);
        values.clear();
    }

    void update(Act<ResultSet> real) throws SQLException {
        UpdatableTable known = table();
        if (values.isEmpty()) {
            // Nothing to write; the driver is not asked, for whatever it would write was not checked.
            return;
        }
        var parameters = new ArrayList<@Nullable Object>(values.values());
        parameters.addAll(keyValues(known, true));
        String sql = "UPDATE " + known.name() + " SET " + names(known, ", ", " = ?") + known.where();
        var statements = new ArrayList<Synthetic>();
        statements.add(new Synthetic(sql, parameters));
        if (isReadAgain()) {
            statements.add(select(known, true));
        }
        run(statements, real);
        values.clear();
    }

    void delete(Act<ResultSet> real) throws SQLException {
        UpdatableTable known = table();
        run(List.of(new Synthetic("DELETE FROM " + known.name() + known.where(), keyValues(known, true))), real);
        leave();
    }

    /**
     * Decided on as the SELECT of that row by its key: it shows what is in the row now, which may be more than was
     * read.
     */
    void refresh(Act<ResultSet> real) throws SQLException {
        run(List.of(select(table(), true)), real);
        leave();
    }

    /** The remedy is to execute the query again: a new result has nothing left over. */
    private void demandCertain() throws SQLException {
        if (uncertain) {
            throw UnsupportedQueryException.call(
                    "changing or refreshing rows by a result in which values were set and not written",
                    "Execute the query again, and write what is set before the cursor leaves the row.");
        }
    }

    /**
     * MariaDB's driver reads a row again after it has written it.
     *
     * <p>The row that it reads is told to the application without another call, so the read is decided on with the
     * write.
     */
    private boolean isReadAgain() {
        return session.target().dialect() == Dialect.MARIADB;
    }

    /** All columns of the result, as the driver fills all of its cells anew. */
    private Synthetic select(UpdatableTable known, boolean onRow) throws SQLException {
        String sql = "SELECT " + known.columns() + " FROM " + known.name() + known.where();
        return new Synthetic(sql, keyValues(known, onRow));
    }

    private void run(List<Synthetic> statements, Act<ResultSet> real) throws SQLException {
        session.turn().run(() -> {
            var passages = new ArrayList<Passage>();
            for (Synthetic statement : statements) {
                PreparedText text = session.read(statement.sql, ReadingMode.PREPARED);
                passages.add(session.check(text, statement));
            }
            session.run(passages, () -> {
                boolean done = false;
                try {
                    real.on(result);
                    done = true;
                } finally {
                    // After an error the driver may or may not have dropped the values.
                    if (!done) {
                        leave();
                    }
                }
                return passages;
            });
        });
    }

    /** By the base columns' names, quoted, in the order in which the values are. */
    private String names(UpdatableTable known, String separator, String suffix) throws SQLException {
        var names = new ArrayList<String>();
        for (int column : values.keySet()) {
            names.add(known.column(column) + suffix);
        }
        return String.join(separator, names);
    }

    /** Key of the row that the cursor is on; a part that was changed is not known any more. */
    private List<@Nullable Object> keyValues(UpdatableTable known, boolean onRow) throws SQLException {
        var keys = new ArrayList<@Nullable Object>();
        for (int column : known.keyColumns()) {
            boolean isRead = onRow && !values.containsKey(column);
            // As the driver reads it: by the row that the result has.
            keys.add(isRead ? CellValues.recorded(result.getObject(column)) : Parameters.UNKNOWN);
        }
        return keys;
    }

    /** For whatever the driver is going to write or read: it may do so by a key that it still holds. */
    private UpdatableTable table() throws SQLException {
        demandCertain();
        UpdatableTable known = table;
        if (known == null) {
            if (result.getConcurrency() != ResultSet.CONCUR_UPDATABLE) {
                throw UnsupportedQueryException.call(
                        "changing a result that is not updatable", "Create the statement with CONCUR_UPDATABLE.");
            }
            known = UpdatableTable.of(session, result);
            table = known;
        }
        // Each time, since a table of that name may have appeared in another schema meanwhile.
        if (session.target().dialect() == Dialect.POSTGRESQL) {
            known.checkDriverTakesIt(session, text);
        }
        return known;
    }

    private record Synthetic(String sql, List<@Nullable Object> values) implements Parameters {

        @Override
        public @Nullable Object get(int index) {
            return index >= 1 && index <= values.size() ? values.get(index - 1) : UNKNOWN;
        }
    }
}
