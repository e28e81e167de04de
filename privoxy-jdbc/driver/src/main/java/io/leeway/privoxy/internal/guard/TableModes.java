package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What happens to a refused question, by the tables that it reads: the strictest of their modes.
 *
 * <p>For a start in small steps: a table at a time is enforced while the others are only watched.
 */
final class TableModes {

    private final PrivoxyMode preset;
    private final Map<String, PrivoxyMode> byTable;
    private final UnaryOperator<String> meaning;

    /**
     * The modes that were configured.
     *
     * @param meaning of a table's name without schema: the canonical name of the table that it leads to
     */
    TableModes(PrivoxyConfig config, UnaryOperator<String> meaning) {
        this.preset = config.mode();
        this.byTable = config.get(PrivoxyOptions.TABLES);
        this.meaning = meaning;
    }

    PrivoxyMode of(UnionQuery query) {
        // A question without tables is judged by the mode of the connection.
        PrivoxyMode strictest = query.disjuncts().isEmpty() ? preset : PrivoxyMode.OFF;
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            for (Atom atom : disjunct.atoms()) {
                PrivoxyMode mode = of(atom.table());
                // Declared from strict to lax.
                strictest = mode.compareTo(strictest) < 0 ? mode : strictest;
            }
        }
        return strictest;
    }

    /**
     * A table's mode. Its name is given, in any case, as {@code schema.table}, or without schema: then it is the table
     * that its name leads to by the search path, and no other of that name.
     *
     * <p>By where the name leads: {@code logs:off} once switched off the table logs of every schema
     * ({@code SettingsCasesIT}).
     */
    private PrivoxyMode of(String table) {
        String name = table.toLowerCase(Locale.ROOT);
        for (Map.Entry<String, PrivoxyMode> entry : byTable.entrySet()) {
            String given = entry.getKey().toLowerCase(Locale.ROOT);
            boolean isNamed = name.equals(given) || name.endsWith('.' + given);
            if (isNamed
                    && (given.contains(".") || meaning.apply(lastPart(table)).equals(table))) {
                return entry.getValue();
            }
        }
        return preset;
    }

    private static String lastPart(String table) {
        return table.substring(table.lastIndexOf('.') + 1);
    }
}
