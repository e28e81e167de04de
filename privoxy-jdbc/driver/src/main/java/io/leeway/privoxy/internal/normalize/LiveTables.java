package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.schema.Relation.Kind;
import io.leeway.privoxy.internal.schema.TableSource;
import java.util.List;
import java.util.Locale;

/** Looks names up in the live schema. A database view counts as a table that needs a policy view of its own. */
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
        if (relation.kind() == Kind.TEMPORARY) {
            return new Unknown("is a temporary table");
        }
        return new BaseTable(relation.table(), relation.visibleColumns(), relation.arbiters());
    }

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
        int dot = folded.indexOf('.');
        return new CatalogueTable(folded.substring(0, Math.max(dot, 0)), folded.substring(dot + 1));
    }
}
