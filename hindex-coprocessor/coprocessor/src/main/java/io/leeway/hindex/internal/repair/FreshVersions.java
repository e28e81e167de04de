package io.leeway.hindex.internal.repair;

import java.util.Collection;
import java.util.List;

/**
 * The versions of one column that an index finds. The definition of "fresh" for writes, and for what looks at failed
 * ones; compactions have it in {@link ColumnHistory}, cell by cell. Without state.
 */
public final class FreshVersions {

    private FreshVersions() {}

    /** The {@code versions} newest puts that nothing hides. */
    public static List<Fact> of(Collection<Fact> facts, int versions) {
        var history = new ColumnHistory();
        return facts.stream()
                .sorted(Fact::newestFirst)
                .filter(fact -> isFresh(history, fact, versions))
                .toList();
    }

    private static boolean isFresh(ColumnHistory history, Fact fact, int versions) {
        switch (fact.kind()) {
            case DELETE_UP_TO -> history.deletedUpTo(fact.timestamp());
            case DELETE_VERSION -> history.versionDeleted(fact.timestamp());
            case PUT -> {
                return history.isVisible(fact.timestamp(), fact.expires()) && history.visible() <= versions;
            }
        }
        return false;
    }
}
