package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.schema.Relation.Kind;
import io.leeway.privoxy.internal.schema.TableSource;
import java.util.List;
import java.util.Locale;

/**
 * Looks names up in the live schema. A database view counts as a table that needs a policy view of its own.
 *
 * <p>A view cannot be read in its place here: whether its definition was looked up under this account's rights or its
 * owner's, and with which search path, is the database's matter, and a policy may show exactly the view's rows.
 */
public final class LiveTables implements TableResolver {

    private final TableSource source;

    /** Looks names up in this source. */
    public LiveTables(TableSource source) {
        this.source = source;
    }

    @Override
    public Found resolve(List<String> name, List<String> searchPath) {
        var relation = source.find(name, searchPath);
        if (relation == null) {
            return new Unknown(null);
        }
        if (relation.kind() == Kind.SYSTEM) {
            return catalogue(relation.table().name());
        }
        // Of the session alone: its rows are not the policy's tables' and are told to nobody else.
        if (relation.kind() == Kind.TEMPORARY) {
            return new Unknown("is a temporary table");
        }
        return new BaseTable(relation.table(), relation.visibleColumns(), relation.arbiters(), relation.inSnapshots());
    }

    /**
     * Also for what cannot be read, since H2 would take that, too. Asked for names of WITH; the source remembers that
     * the name was free, and notices when it is no more
     * ({@code AttackerCasesIT.aTableThatComesUnderANameOfWithIsNoticed}).
     */
    @Override
    public boolean isTaken(List<String> name, List<String> searchPath) {
        return !source.isAbsent(name, searchPath);
    }

    @Override
    public void prefetch(List<List<String>> names, List<String> searchPath) {
        source.prefetch(names, searchPath);
    }

    private static Found catalogue(String canonical) {
        String folded = canonical.toLowerCase(Locale.ROOT);
        // The catalogue's own schemas have no dot in their names.
        int dot = folded.indexOf('.');
        return new CatalogueTable(folded.substring(0, Math.max(dot, 0)), folded.substring(dot + 1));
    }
}
