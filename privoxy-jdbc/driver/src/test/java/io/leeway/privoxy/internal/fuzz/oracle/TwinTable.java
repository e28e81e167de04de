package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.List;

/**
 * A table of both worlds.
 *
 * @param columns all of them, in order
 * @param guards conditions, with {@code %s} for the table, under which a view shows all columns
 */
record TwinTable(String name, List<Column> columns, List<String> guards) {

    /** Kinds of columns that the grammar tells apart. */
    enum Kind {
        NUMBER,
        TEXT,
        TRUTH,
        DECIMAL
    }

    /**
     * A column.
     *
     * @param isShown whether a view shows it of all rows
     */
    record Column(String name, Kind kind, boolean isShown) {}

    static final TwinTable CODES = new TwinTable(
            "k", List.of(text("code"), text("label"), number("grp"), hidden("secret", Kind.NUMBER)), List.of());
    static final TwinTable LINKS = new TwinTable("j", List.of(number("id"), text("code"), number("x")), List.of());
    static final TwinTable NOTES =
            new TwinTable("notes", List.of(number("id"), number("author"), text("text")), List.of());
    static final TwinTable USERS = new TwinTable(
            "users",
            List.of(number("id"), text("name"), hidden("email", Kind.TEXT), hidden("salary", Kind.NUMBER)),
            List.of("%s.id = 1"));
    static final TwinTable POSTS = new TwinTable(
            "posts",
            List.of(
                    hidden("id", Kind.NUMBER),
                    hidden("author_id", Kind.NUMBER),
                    hidden("title", Kind.TEXT),
                    hidden("public", Kind.TRUTH)),
            List.of("%s.public = TRUE", "%s.author_id = 1", "%s.public", "%s.author_id IN (1)"));
    static final TwinTable MEMBERS = new TwinTable(
            "members",
            List.of(hidden("user_id", Kind.NUMBER), hidden("event_id", Kind.NUMBER), hidden("role", Kind.TEXT)),
            List.of("%s.user_id = 1", "1 = %s.user_id", "%s.user_id BETWEEN 1 AND 1"));
    static final TwinTable PARTS = new TwinTable(
            "t",
            List.of(
                    number("id"),
                    number("grp"),
                    hidden("val", Kind.DECIMAL),
                    hidden("txt", Kind.TEXT),
                    hidden("flag", Kind.TRUTH),
                    hidden("secret", Kind.TEXT)),
            List.of("%s.flag = TRUE", "%s.txt <> 'b'", "%s.flag", "%s.flag IS TRUE", "NOT %s.txt = 'b'"));

    /** Codes stand first and twice: the order of their rows is the hidden column's. */
    static final List<TwinTable> ALL = List.of(CODES, LINKS, NOTES, CODES, USERS, PARTS, POSTS, MEMBERS);

    private static Column number(String name) {
        return new Column(name, Kind.NUMBER, true);
    }

    private static Column text(String name) {
        return new Column(name, Kind.TEXT, true);
    }

    private static Column hidden(String name, Kind kind) {
        return new Column(name, kind, false);
    }

    /** Texts of which no two that look different are equal. */
    static String textType(Dialect dialect) {
        return dialect == Dialect.MARIADB
                ? "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"
                : "VARCHAR(20)";
    }
}
