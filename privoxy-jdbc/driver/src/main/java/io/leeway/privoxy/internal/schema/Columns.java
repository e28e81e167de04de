package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.sql.Dialect;

/** Finds columns by name. */
final class Columns {

    private Columns() {}

    /** Position of a column, or -1 if there is none, or if more than one differ in case only. */
    static int position(Table table, String name, boolean ignoreCase) {
        int exact = table.indexOf(name);
        if (exact >= 0 || !ignoreCase) {
            return exact;
        }
        int found = -1;
        for (int i = 0; i < table.arity(); i++) {
            // Not equalsIgnoreCase: beyond ASCII Java and MariaDB differ about which letters are one.
            if (Dialect.MARIADB.isOneName(table.columns().get(i).name(), name)) {
                // Which of the two the database means is not known, so neither: the statement is refused ({@code
                // ThirdAttackIT}, names beyond ASCII).
                if (found >= 0) {
                    return -1;
                }
                found = i;
            }
        }
        return found;
    }
}
