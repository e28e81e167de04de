package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.fuzz.oracle.TwinTable.Kind;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.List;

/** Draws statements that write what is read elsewhere into tables that are shown. */
final class WriteGrammar {

    private static final List<Kind> ROW = List.of(Kind.NUMBER, Kind.TEXT);

    private final Choices choices;
    private final Dialect dialect;
    private final QueryGrammar queries;
    private final ValueGrammar values;
    private final FromGrammar from;

    WriteGrammar(Choices choices, Dialect dialect) {
        this.choices = choices;
        this.dialect = dialect;
        this.queries = new QueryGrammar(choices, dialect);
        this.values = new ValueGrammar(choices, dialect, queries);
        this.from = new FromGrammar(choices, dialect, queries, values);
    }

    String write() {
        return switch (choices.below(10)) {
            case 0 -> "INSERT INTO entries (author, text) " + queries.query(null, 2, ROW);
            case 1 ->
                "INSERT INTO entries (author, text) SELECT z.c0, z.c1 FROM (" + queries.query(null, 1, ROW) + ") z"
                        + choices.pick("", " LIMIT 2", " ORDER BY z.c0");
            case 2 -> "UPDATE notes SET " + set(notes()) + where(notes()) + returning();
            case 3 -> "DELETE FROM notes" + where(notes()) + returning();
            case 4 ->
                "UPDATE users SET name = COALESCE(" + values.value(people(), Kind.TEXT, 1) + ", 'z') WHERE users.id = "
                        + choices.pick("1", "2") + " AND " + values.condition(people(), 1);
            case 5 -> conflict();
            case 6 -> updateFrom();
            case 7 -> deleteUsing();
            case 8 -> clash();
            default -> dialect == Dialect.MARIADB ? limited() : merge();
        };
    }

    /** Rows of which several have one key: the first or the last one stays. */
    private String clash() {
        String rows = " SELECT " + choices.pick("1", "z.c0", "50") + ", z.c0, z.c1 FROM (" + queries.query(null, 1, ROW)
                + ") z" + choices.pick("", " ORDER BY z.c0");
        return switch (dialect) {
            case POSTGRESQL ->
                "INSERT INTO notes (id, author, text)" + rows
                        + choices.pick(
                                " ON CONFLICT DO NOTHING", " ON CONFLICT (id) DO UPDATE SET text = EXCLUDED.text");
            case MARIADB ->
                choices.pick(
                        "INSERT IGNORE INTO notes (id, author, text)" + rows,
                        "REPLACE INTO notes (id, author, text)" + rows,
                        "INSERT INTO notes (id, author, text)" + rows + " ON DUPLICATE KEY UPDATE text = VALUES(text)");
            case H2 -> "MERGE INTO notes (id, author, text) KEY (id)" + rows;
        };
    }

    /** Some of the rows, as MariaDB has it. */
    private String limited() {
        String end = where(notes()) + choices.pick("", " ORDER BY notes.author") + " LIMIT 1";
        return choices.pick("UPDATE notes SET " + set(notes()) + end, "DELETE FROM notes" + end);
    }

    private static Scope notes() {
        return scope(TwinTable.NOTES);
    }

    private static Scope people() {
        return scope(TwinTable.USERS);
    }

    private static Scope scope(TwinTable table) {
        Scope scope = new Scope(null);
        for (TwinTable.Column column : table.columns()) {
            scope.columns.add(new Scope.Named(table.name() + "." + column.name(), column.kind(), column.isShown()));
        }
        return scope;
    }

    private String set(Scope scope) {
        return "text = " + values.value(scope, Kind.TEXT, 2)
                + (choices.onceIn(4) ? ", author = " + values.value(scope, Kind.NUMBER, 1) : "");
    }

    private String where(Scope scope) {
        return choices.pick(" WHERE notes.id = 1", "", " WHERE " + values.condition(scope, 2));
    }

    private String returning() {
        return dialect == Dialect.POSTGRESQL ? choices.pick("", "", " RETURNING *", " RETURNING notes.text") : "";
    }

    private String conflict() {
        String row = "INSERT INTO notes VALUES (" + choices.pick("1", "50", "2") + ", "
                + values.value(new Scope(null), Kind.NUMBER, 1) + ", " + values.value(new Scope(null), Kind.TEXT, 2)
                + ")";
        return switch (dialect) {
            case POSTGRESQL ->
                row
                        + choices.pick(
                                "", " ON CONFLICT (id) DO UPDATE SET text = " + values.value(notes(), Kind.TEXT, 1))
                        + choices.pick("", " RETURNING text");
            case MARIADB ->
                row + choices.pick("", " ON DUPLICATE KEY UPDATE text = " + values.value(notes(), Kind.TEXT, 1));
            case H2 -> row;
        };
    }

    /** A row may have several partners, of which one is taken. */
    private String updateFrom() {
        Scope others = new Scope(null);
        String tables = from.tables(others, 1);
        String end = joined(others);
        if (dialect == Dialect.MARIADB) {
            return "UPDATE notes" + choices.pick(", ", " JOIN ") + tables + " SET notes.text = "
                    + values.own(others, Kind.TEXT) + " WHERE notes.id = 1 AND " + end;
        }
        if (dialect == Dialect.H2) {
            return "UPDATE notes SET text = (" + queries.scalar(notes(), 1, Kind.TEXT) + ") WHERE notes.id = 1";
        }
        String update = "UPDATE notes SET text = " + values.own(others, Kind.TEXT) + " FROM " + tables
                + " WHERE notes.id = 1 AND " + end;
        return switch (choices.below(4)) {
            case 2 -> update + " RETURNING notes.text";
            case 3 -> "WITH u AS (" + update + " RETURNING notes.text) SELECT text FROM u";
            default -> update;
        };
    }

    private String deleteUsing() {
        Scope others = new Scope(null);
        String tables = from.tables(others, 1);
        String end = joined(others);
        return switch (dialect) {
            case POSTGRESQL ->
                "DELETE FROM notes USING " + tables + " WHERE " + end
                        + choices.pick("", " RETURNING " + values.own(others, Kind.TEXT), " RETURNING notes.id");
            case MARIADB -> "DELETE notes FROM notes JOIN " + tables + " WHERE " + end;
            case H2 -> "DELETE FROM notes WHERE notes.id IN (" + queries.query(notes(), 1, List.of(Kind.NUMBER)) + ")";
        };
    }

    private String joined(Scope others) {
        return values.own(others, Kind.NUMBER)
                + choices.pick(" = ", " < ", " <> ")
                + choices.pick("notes.id", "notes.author")
                + others.guards.stream().map(guard -> " AND " + guard).reduce("", String::concat);
    }

    private String merge() {
        String on = choices.pick("notes.id = z.c0", "1 = 0", "notes.author = z.c0 AND notes.text = z.c1");
        String matched = choices.pick(
                " WHEN MATCHED THEN UPDATE SET text = z.c1",
                " WHEN MATCHED THEN DELETE",
                " WHEN MATCHED AND " + values.condition(notes(), 1) + " THEN UPDATE SET text = z.c1");
        String absent = choices.pick(
                "", " WHEN NOT MATCHED AND z.c0 IS NOT NULL THEN INSERT (id, text) VALUES (100 + z.c0, z.c1)");
        return "MERGE INTO notes USING (" + queries.query(null, 1, ROW) + ") z ON " + on + matched + absent
                + (dialect == Dialect.POSTGRESQL ? choices.pick("", " RETURNING z.c1") : "");
    }
}
