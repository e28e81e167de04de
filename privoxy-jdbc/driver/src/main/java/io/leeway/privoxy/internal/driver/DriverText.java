package io.leeway.privoxy.internal.driver;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table that PostgreSQL's driver takes for that of an updatable result. It cuts the text at blanks, whatever they
 * are in, and takes what follows the first {@code from}; so the text has to be one in which that can be nothing else
 * than the query's own first table: no comments, strings or brackets before it, no blanks in quoted names.
 *
 * <p>This follows what PostgreSQL's driver does, not what SQL says; where the two could differ the answer is null and
 * the change is refused.
 */
final class DriverText {

    private static final String NAME = "(?:[A-Za-z_][A-Za-z0-9_]*|\"[^\"\\s]+\")";
    /**
     * Characters that could begin anything but a name or a number are excluded before FROM, so that no "from" can hide.
     */
    private static final Pattern QUERY = Pattern.compile(
            "[ \\t\\r\\n]*select[ \\t\\r\\n](?<list>[^'$`()\\[\\]{};]*?)(?<=[ \\t\\r\\n])from[ \\t\\r\\n]+"
                    + "(?:(?<schema>" + NAME + ")\\.)?(?<table>" + NAME + ")(?:[ \\t\\r\\n;].*)?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern BLANK_IN_NAME = Pattern.compile("\"[^\"\\s]*\\s[^\"]*\"");

    private DriverText() {}

    /**
     * The table.
     *
     * @param schema as the database has it, or null if the text does not say
     * @param name as the database has it
     */
    record Table(@Nullable String schema, String name) {}

    /** The table, or null if the driver might take another one. */
    static @Nullable Table tableOf(String sql) {
        Matcher query = QUERY.matcher(sql);
        if (sql.contains("--") || sql.contains("/*") || !query.matches()) {
            return null;
        }
        String before = sql.substring(0, query.start("table"));
        boolean isMisleading = BLANK_IN_NAME.matcher(before).find()
                // A quoted name that begins before and ends after would hide it.
                || before.chars().filter(c -> c == '"').count() % 2 != 0;
        String schema = query.group("schema");
        return isMisleading ? null : new Table(schema == null ? null : folded(schema), folded(query.group("table")));
    }

    /** An identifier as the database stores it. */
    private static String folded(String name) {
        return name.startsWith("\"") ? name.substring(1, name.length() - 1) : name.toLowerCase(Locale.ROOT);
    }
}
