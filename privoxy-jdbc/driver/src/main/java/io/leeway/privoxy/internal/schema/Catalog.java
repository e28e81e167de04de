package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Reads one kind of database's catalogue. Immutable and thread-safe; the connections are lent. */
interface Catalog {

    /** The catalogue reader for a database, with the settings that decide how names are compared. */
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

    /** Schemas that are searched although the path does not name them, before it. */
    List<String> implicitPath(List<String> searchPath);

    /** Whether a table found is the one that was asked for. */
    boolean isSame(TableId asked, TableId found);

    /** Whether column names are compared without regard to case. */
    boolean ignoresCaseOfColumns();

    /** Describes those of the tables that exist. */
    Map<TableId, Relation> read(Connection connection, Collection<TableId> asked) throws SQLException;

    /** Names of the tables in some schemas. */
    List<TableId> names(Connection connection, List<String> schemas) throws SQLException;

    /** Which tables a write to another table also changes. */
    WriteReach writeReach(Connection connection) throws SQLException;

    /** Tables that a name can mean, first match wins. */
    default List<TableId> candidates(List<String> name, List<String> searchPath) {
        String table = name.get(name.size() - 1);
        if (name.size() == 1) {
            var path = new ArrayList<>(implicitPath(searchPath));
            path.addAll(searchPath);
            return path.stream().map(schema -> new TableId(schema, table)).toList();
        }
        if ((name.size() == 3 && !name.get(0).equals(database())) || name.size() > 3) {
            return List.of();
        }
        return List.of(new TableId(name.get(name.size() - 2), table));
    }
}
