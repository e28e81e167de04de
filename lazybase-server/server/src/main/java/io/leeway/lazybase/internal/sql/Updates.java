package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.Reference;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.sql.Statement.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * INSERT, UPDATE, DELETE: becomes batches that wait for the commit of their session. What has to be read for that is read at freshness 0. For
 * one thread.
 */
final class Updates {

    private final Session session;
    private final Engine engine;

    Updates(Session session, Engine engine) {
        this.session = session;
        this.engine = engine;
    }

    static RowBuilder copied(Table table, Statement.Copy copy) {
        if (copy.action() != Statement.Copy.Action.DELETE) {
            byte flag = copy.action() == Statement.Copy.Action.PATCH ? Batch.PATCH : Batch.PUT;
            return RowBuilder.of(table, copy.columns(), flag, copy.adds());
        }
        List<String> key = table.primary().key().stream()
                .map(id -> table.columnOf(id).name())
                .toList();
        List<String> columns = copy.columns().isEmpty() ? key : copy.columns();
        for (String column : columns) {
            Column given = Preparer.named(table, column);
            if (!table.isKey(given.id()) && !table.isKey(Reference.columnOf(given.id()))) {
                throw new LazyBaseException(
                        Code.UNSUPPORTED, "Column " + column + " is not of the key, by which rows are deleted.");
            }
        }
        return RowBuilder.of(table, columns, Batch.DELETE, List.of());
    }

    long insert(Statement.Insert insert, List<@Nullable Object> parameters) {
        Table table = Definitions.need(engine.pipeline().catalog(), insert.table());
        if (insert.keep() && table.identity() == 0) {
            throw new LazyBaseException(
                    Code.UNSUPPORTED, "ON CONFLICT DO NOTHING: updates do not read, the newest wins.");
        }
        byte flag = insert.patch() ? Batch.PATCH : Batch.PUT;
        var rows = RowBuilder.of(table, insert.columns(), flag, insert.adds());
        String query = insert.query();
        int number = 0;
        try {
            if (query != null) {
                return insertQuery(rows, table, query, parameters);
            }
            for (List<Value> row : insert.rows()) {
                number++;
                if (row.size() != rows.columns().size()) {
                    throw new LazyBaseException(
                            Code.SYNTAX,
                            row.size() + " values for " + rows.columns().size() + " columns.");
                }
                for (Value value : row) {
                    rows.add(value(value, parameters));
                }
                rows.endRow();
            }
        } catch (LazyBaseException e) {
            throw new LazyBaseException(e.code(), "Row " + number + ": " + e.detail(), e);
        }
        int count = rows.rows();
        session.write(table, rows.build());
        return count;
    }

    private long insertQuery(RowBuilder rows, Table table, String query, List<@Nullable Object> parameters) {
        long count = 0;
        try (Result.Rows source = session.rows(session.prepare(query, new int[0]), parameters, "SELECT")) {
            if (source.columns().size() != rows.columns().size()) {
                throw new LazyBaseException(
                        Code.SYNTAX,
                        source.columns().size() + " values for "
                                + rows.columns().size() + " columns.");
            }
            for (Object[] row = source.next(); row != null; row = source.next()) {
                for (Object value : row) {
                    rows.add(value);
                }
                rows.endRow();
                count++;
            }
        }
        session.write(table, rows.build());
        return count;
    }

    private @Nullable Object value(Value value, List<@Nullable Object> parameters) {
        if (value instanceof Value.Constant constant) {
            return constant.value();
        }
        if (value instanceof Value.Parameter parameter) {
            if (parameter.number() > parameters.size()) {
                throw new LazyBaseException(Code.PROTOCOL, "Parameter $" + parameter.number() + " was not bound.");
            }
            return parameters.get(parameter.number() - 1);
        }
        String expression = ((Value.Expression) value).sql();
        if (expression.equalsIgnoreCase("DEFAULT")) {
            return null;
        }
        Prepared prepared = session.prepare("SELECT " + expression, new int[0]);
        try (Result.Rows rows = session.rows(prepared, parameters, "SELECT")) {
            @Nullable Object[] row = rows.next();
            // To its end, so that it does not count as one that was broken off.
            boolean more = row != null && rows.next() != null;
            if (more) {
                throw new LazyBaseException(Code.SYNTAX, "More than one row of a sub-query that is a value.");
            }
            return row == null ? null : row[0];
        }
    }

    long update(Statement.Update update, List<@Nullable Object> parameters) {
        Table table = Definitions.need(engine.pipeline().catalog(), update.table());
        for (Statement.Assignment set : update.sets()) {
            if (table.isKey(Preparer.named(table, set.column()).id())) {
                throw new LazyBaseException(
                        Code.UNSUPPORTED,
                        "Column " + set.column() + " belongs to the key: delete the row and insert it.");
            }
        }
        var names = new ArrayList<String>();
        table.primary().key().forEach(id -> names.add(table.columnOf(id).name()));
        int keys = names.size();
        update.sets()
                .forEach(set -> names.add(Preparer.named(table, set.column()).name()));
        boolean simple = update.sets().stream().noneMatch(set -> set.value() instanceof Value.Expression)
                && isWholeKey(table, update.keys());
        if (simple) {
            var adds = new ArrayList<String>();
            update.sets().stream()
                    .filter(Statement.Assignment::add)
                    .forEach(set -> adds.add(Preparer.named(table, set.column()).name()));
            var rows = RowBuilder.of(table, names, Batch.PATCH, adds);
            addKey(rows, table, update.keys(), parameters);
            update.sets().forEach(set -> rows.add(value(set.value(), parameters)));
            rows.endRow();
            session.write(table, rows.build());
            return 1;
        }
        var select = new StringBuilder("SELECT ");
        names.subList(0, keys).forEach(name -> select.append(quoted(name)).append(", "));
        select.append(String.join(", ", update.setTexts()));
        return writeSelected(table, update.alias(), names, Batch.PATCH, select, update.where(), parameters);
    }

    long delete(Statement.Delete delete, List<@Nullable Object> parameters) {
        Table table = Definitions.need(engine.pipeline().catalog(), delete.table());
        var names = new ArrayList<String>();
        table.primary().key().forEach(id -> names.add(table.columnOf(id).name()));
        if (isWholeKey(table, delete.keys())) {
            var rows = RowBuilder.of(table, names, Batch.DELETE, List.of());
            addKey(rows, table, delete.keys(), parameters);
            rows.endRow();
            session.write(table, rows.build());
            return 1;
        }
        var select = new StringBuilder("SELECT ");
        select.append(String.join(", ", names.stream().map(Updates::quoted).toList()));
        return writeSelected(table, delete.alias(), names, Batch.DELETE, select, delete.where(), parameters);
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static boolean isWholeKey(Table table, List<Statement.Equality> keys) {
        var named = new ArrayList<Integer>();
        keys.forEach(key -> named.add(Preparer.named(table, key.column()).id()));
        return named.size() == table.primary().key().size()
                && named.containsAll(table.primary().key());
    }

    private void addKey(
            RowBuilder rows, Table table, List<Statement.Equality> keys, List<@Nullable Object> parameters) {
        for (int id : table.primary().key()) {
            for (Statement.Equality key : keys) {
                if (Preparer.named(table, key.column()).id() == id) {
                    rows.add(value(key.value(), parameters));
                }
            }
        }
    }

    /** Updates that need to read first: the rows are found at freshness 0, then written. What others write in between is not looked at. */
    private long writeSelected(
            Table table,
            String alias,
            List<String> names,
            byte flag,
            StringBuilder select,
            String where,
            List<@Nullable Object> parameters) {
        select.insert(0, "/*+ freshness('0 s') */ ");
        select.append(" FROM ").append(quoted(table.name())).append(" AS ").append(quoted(alias));
        if (!where.isEmpty()) {
            select.append(" WHERE ").append(where);
        }
        var rows = RowBuilder.of(table, names, flag, List.of());
        long count = 0;
        try (Result.Rows source = session.rows(session.prepare(select.toString(), new int[0]), parameters, "SELECT")) {
            for (Object[] row = source.next(); row != null; row = source.next()) {
                for (Object value : row) {
                    rows.add(value);
                }
                rows.endRow();
                count++;
            }
        }
        if (count > 0) {
            session.write(table, rows.build());
        }
        return count;
    }
}
