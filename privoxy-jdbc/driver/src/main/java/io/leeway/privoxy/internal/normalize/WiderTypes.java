package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which types hold all values of another one, each as itself, so that nothing is cut, rounded or made equal. */
final class WiderTypes {

    private static final List<String> INTEGERS = List.of("tinyint", "smallint", "mediumint", "int", "bigint");
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
            return old.equalsIgnoreCase(wanted) && dialect != Dialect.MARIADB;
        }
        String before = SYNONYMS.getOrDefault(from.group(1), from.group(1));
        String after = SYNONYMS.getOrDefault(to.group(1), to.group(1));
        int rank = INTEGERS.indexOf(before);
        if (rank >= 0) {
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
        boolean hasNoForm = before.equals("boolean") || before.equals("uuid") || before.equals("date");
        return hasNoForm && before.equals(after) && to.group(2) == null;
    }

    private static int length(Matcher type) {
        String digits = type.group(2);
        return digits.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }
}
