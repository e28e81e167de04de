package io.leeway.privoxy.internal.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A WHEN clause of MERGE.
 *
 * @param matched which rows it is for
 * @param condition further condition, or null
 * @param action what is done
 * @param columns columns of an INSERT
 * @param values values of an INSERT; empty for DEFAULT VALUES
 * @param updates assignments of an UPDATE
 */
public record MergeWhen(
        Matched matched,
        @Nullable Expr condition,
        Action action,
        List<Name> columns,
        List<Expr> values,
        List<Assignment> updates,
        int position)
        implements Node {
    public MergeWhen {
        columns = List.copyOf(columns);
        values = List.copyOf(values);
        updates = List.copyOf(updates);
    }

    /** Which rows a clause is for. */
    public enum Matched {
        MATCHED,
        NOT_MATCHED,
        NOT_MATCHED_BY_SOURCE
    }

    /** What is done with them. */
    public enum Action {
        INSERT,
        UPDATE,
        DELETE,
        NOTHING
    }
}
