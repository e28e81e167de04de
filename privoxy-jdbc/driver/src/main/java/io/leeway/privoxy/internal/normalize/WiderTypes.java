package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which types hold all values of another one, each as itself, so that nothing is cut, rounded or made equal.
 *
 * <p>Asked for {@code ALTER TABLE … TYPE}: a change that keeps each value as it is, and equal to what it was, tells
 * nothing and needs no look at rows. Any other is an UPDATE of all rows under another name, by which a conversion that
 * fails, or a unique index that finds two equal, tells of hidden values. Too few types only refuse migrations, which
 * can go over the plain URL.
 */
final class WiderTypes {

    private static final List<String> INTEGERS = List.of("tinyint", "smallint", "mediumint", "int", "bigint");
    // As catalogues name them on the one side and people on the other.
    private static final Map<String, String> SYNONYMS = Map.ofEntries(
            Map.entry("integer", "int"),
            Map.entry("int4", "int"),
            Map.entry("int8", "bigint"),
            Map.entry("int2", "smallint"),
            Map.entry("character varying", "varchar"),
            Map.entry("char varying", "varchar"),
            Map.entry("character large object", "clob"),
            Map.entry("bool", "boolean"),
            Map.entry("decimal", "numeric"),
            Map.entry("timestamp without time zone", "timestamp"),
            Map.entry("timestamptz", "timestamp with time zone"),
            Map.entry("time without time zone", "time"));

    private static final Pattern TYPE = Pattern.compile("([a-z0-9 ]*[a-z0-9])\\s*(?:\\(\\s*([0-9]+)\\s*\\))?");

    private WiderTypes() {}

    /**
     * Whether every value of the old type is one of the new type.
     *
     * @param old as the catalogue names it
     * @param wanted as the statement names it
     */
    static boolean holds(String old, String wanted, Dialect dialect) {
        Matcher from = TYPE.matcher(old.toLowerCase(Locale.ROOT));
        Matcher to = TYPE.matcher(wanted.toLowerCase(Locale.ROOT));
        if (!from.matches() || !to.matches()) {
            // Types with other forms (NUMERIC(10, 2), arrays) only to the very same, which on MariaDB may still mean
            // another collation.
            return old.equalsIgnoreCase(wanted) && dialect != Dialect.MARIADB;
        }
        String before = SYNONYMS.getOrDefault(from.group(1), from.group(1));
        String after = SYNONYMS.getOrDefault(to.group(1), to.group(1));
        int rank = INTEGERS.indexOf(before);
        if (rank >= 0) {
            // INT UNSIGNED is on no list: such columns are not retyped here.
            return INTEGERS.indexOf(after) >= rank;
        }
        boolean isText = before.equals("varchar") || before.equals("text") || before.equals("clob");
        if (isText) {
            // MariaDB gives the column the table's collation if none is named; H2's catalogue does not tell the length.
            boolean isUnlimited =
                    after.equals("text") || after.equals("clob") || (after.equals("varchar") && to.group(2) == null);
            boolean isLonger = after.equals("varchar")
                    && from.group(2) != null
                    && to.group(2) != null
                    && length(to) >= length(from);
            return dialect != Dialect.MARIADB && (isUnlimited || isLonger);
        }
        // Types of one form each, where only the same name, without digits behind it, is the same type.
        boolean hasNoForm = before.equals("boolean") || before.equals("uuid") || before.equals("date");
        return hasNoForm && before.equals(after) && to.group(2) == null;
    }

    private static int length(Matcher type) {
        String digits = type.group(2);
        return digits.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }
}
