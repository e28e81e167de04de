package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.Locale;
import java.util.Map;

/** What happens to a refused question, by the tables that it reads: the strictest of their modes. */
final class TableModes {

    private final PrivoxyMode preset;
    private final Map<String, PrivoxyMode> byTable;

    TableModes(PrivoxyConfig config) {
        this.preset = config.mode();
        this.byTable = config.get(PrivoxyOptions.TABLES);
    }

    PrivoxyMode of(UnionQuery query) {
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

    /** A table's mode; its name is given as {@code schema.table} or without schema, in any case. */
    private PrivoxyMode of(String table) {
        for (Map.Entry<String, PrivoxyMode> entry : byTable.entrySet()) {
            String given = entry.getKey().toLowerCase(Locale.ROOT);
            String name = table.toLowerCase(Locale.ROOT);
            if (name.equals(given) || name.endsWith('.' + given)) {
                return entry.getValue();
            }
        }
        return preset;
    }
}
