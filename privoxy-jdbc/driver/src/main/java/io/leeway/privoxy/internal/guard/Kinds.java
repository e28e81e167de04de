package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.StatementPlan.Kind;
import java.util.List;

/**
 * What several statements in one text are taken for: the one that makes most doubtful.
 *
 * <p>What several statements do is at least what one of them does.
 */
final class Kinds {

    private static final List<Kind> FROM_LAX_TO_STRICT =
            List.of(Kind.SESSION, Kind.QUERY, Kind.TRANSACTION, Kind.WRITE, Kind.DDL);

    private Kinds() {}

    static Kind stricter(Kind a, Kind b) {
        return FROM_LAX_TO_STRICT.indexOf(a) >= FROM_LAX_TO_STRICT.indexOf(b) ? a : b;
    }
}
