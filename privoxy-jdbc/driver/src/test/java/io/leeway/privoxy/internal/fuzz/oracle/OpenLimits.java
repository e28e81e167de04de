package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.List;
import java.util.regex.Pattern;

/** What is known to tell, and why it is left out when statements are judged. */
enum OpenLimits {

    /**
     * A statement that reads only tables of which everything is shown cannot tell anything; its rows are in the order
     * that the database likes, and that is none of two databases' concern.
     */
    NOTHING_HIDDEN("(?is)(?!.*\\b(k|t|users|posts|members)\\b).*"),

    /**
     * Rows that a view shows whole come in an order of the database's own (limits, "A query that does not say in which
     * order"). Which one can depend on how many others there are; no hidden column's order is among them. Where only such
     * tables are read, rows are compared without order, and what depends on order is not.
     */
    WHOLE_ROWS("(?is)(?!.*\\b(k|t|users)\\b).*"),

    /**
     * The same of all columns of one table, whose rows that are read are then shown whole by a view with a condition. Which
     * index MariaDB takes for {@code SELECT a0.* … GROUP BY a0.grp} can depend on how many rows that view does not show. Which
     * rows come is compared all the same, whatever they are taken by; of a {@code LIMIT} without a total order, how many.
     */
    WHOLE_COLUMNS("(?is)SELECT (?:\\w+\\.)?\\*(?!.*\\b(?:k|users)\\b)(?!.*\\bFROM\\b.*\\bFROM\\b).*"),

    /** What takes some of the rows, in the order in which they come. */
    TAKES_SOME("(?is).*\\b(LIMIT|FETCH|OFFSET)\\b.*"),

    /** What makes something of the order of rows. */
    DEPENDS_ON_ORDER(
            "(?is).*(\\bOVER\\b|\\bLIMIT\\b|\\bFETCH\\b|\\bOFFSET\\b|_agg|_concat|listagg|array|any_value|mode\\(\\)|DISTINCT ON|WINDOW).*"),

    /**
     * MariaDB's cache of sub-queries takes values for the same that are equal under their column's collation, also where
     * they are compared as bytes or under another collation within, by ANY, IN or EXISTS (known holes, "Equal under a
     * collation"): text is not joined with bytes, nor with text of another collation.
     */
    CACHE_OF_SUBQUERIES("(?!)"),

    /**
     * An error that the database raises while it evaluates an expression tells one bit (limits, "Errors that the database
     * raises"): where one of the worlds raises one, nothing is compared.
     */
    ERRORS_OF_THE_DATABASE("(?!)");

    private final Pattern pattern;

    OpenLimits(String pattern) {
        this.pattern = Pattern.compile(pattern);
    }

    boolean covers(String sql) {
        return pattern.matcher(sql).matches();
    }

    /** Whether two answers of a statement are the same as far as anything hidden could tell. */
    static boolean areSame(Dialect dialect, String sql, String one, String other) {
        if (one.equals(other) || NOTHING_HIDDEN.covers(sql)) {
            return true;
        }
        // MariaDB shows columns of a group's first row.
        boolean depends = DEPENDS_ON_ORDER.covers(sql) || dialect == Dialect.MARIADB && sql.contains("GROUP BY");
        boolean isSameSet = sorted(one).equals(sorted(other));
        boolean isSameNumber =
                TAKES_SOME.covers(sql) && split(one).size() == split(other).size();
        return WHOLE_ROWS.covers(sql) && (depends || isSameSet)
                || WHOLE_COLUMNS.covers(sql) && (isSameSet || isSameNumber);
    }

    private static List<String> sorted(String rows) {
        return split(rows).stream().sorted().toList();
    }

    private static List<String> split(String rows) {
        return List.of(rows.split("(?<=\\)) "));
    }

    /** Whether MariaDB may take one value for another one: a text, and bytes or text under another collation. */
    static boolean isAnsweredFromCache(Dialect dialect, ColumnType one, ColumnType two) {
        boolean isText = one.declaration().contains("CHAR") || two.declaration().contains("CHAR");
        return dialect == Dialect.MARIADB
                && (one.declaration().contains("BINARY(") != two.declaration().contains("BINARY(")
                        || isText && !one.declaration().equals(two.declaration()));
    }
}
