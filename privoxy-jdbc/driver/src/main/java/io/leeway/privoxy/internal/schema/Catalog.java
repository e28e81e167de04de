package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Reads one kind of database's catalogue. Immutable and thread-safe; the connections are lent.
 *
 * <p>What it tells is believed in proofs: a key that does not hold, or a NOT NULL that does not, would open rows. So
 * each implementation leaves out whatever the database does not vouch for at every moment, and says so in a note.
 */
interface Catalog {

    /**
     * The catalogue reader for a database, with the settings that decide how names are compared.
     *
     * <p>A connection is needed because settings of the server decide how names are compared; they do not change while
     * it runs.
     */
    static Catalog of(Dialect dialect, Connection connection) throws SQLException {
        return switch (dialect) {
            case POSTGRESQL -> PostgresCatalog.open(connection);
            case MARIADB -> MariaDbCatalog.open(connection);
            case H2 -> H2Catalog.open(connection);
        };
    }

    /** The connection's search path. */
    List<String> searchPath(Connection connection) throws SQLException;

    /** Name of the database, as in the first of three parts of a name. */
    String database();

    /**
     * Schemas that are searched although the path does not name them, before it.
     *
     * <p>PostgreSQL searches its own catalogue first although the path does not name it: a table there wins over one of
     * the application's.
     */
    List<String> implicitPath(List<String> searchPath);

    /**
     * Whether a table found is the one that was asked for.
     *
     * <p>Asked of names that the catalogue's own queries found, as these may compare more coarsely than the server does
     * when it resolves a name.
     */
    boolean isSame(TableId asked, TableId found);

    /** Whether column names are compared without regard to case. */
    boolean ignoresCaseOfColumns();

    /** Describes those of the tables that exist. */
    Map<TableId, Relation> read(Connection connection, Collection<TableId> asked) throws SQLException;

    /** Names of the tables in some schemas. */
    List<TableId> names(Connection connection, List<String> schemas) throws SQLException;

    /**
     * Which tables a write to another table also changes.
     *
     * <p>Of all tables at once, since a chain of cascades can pass through tables that nobody has asked for.
     */
    WriteReach writeReach(Connection connection) throws SQLException;

    /** Tables that a name can mean, first match wins. */
    default List<TableId> candidates(List<String> name, List<String> searchPath) {
        String table = name.get(name.size() - 1);
        if (name.size() == 1) {
            var path = new ArrayList<>(implicitPath(searchPath));
            path.addAll(searchPath);
            return path.stream().map(schema -> new TableId(schema, table)).toList();
        }
        // A table of another database is none that could be read here.
        if ((name.size() == 3 && !name.get(0).equals(database())) || name.size() > 3) {
            return List.of();
        }
        return List.of(new TableId(name.get(name.size() - 2), table));
    }
}
