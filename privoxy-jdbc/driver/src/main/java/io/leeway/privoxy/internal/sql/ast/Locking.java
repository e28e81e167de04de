package io.leeway.privoxy.internal.sql.ast;

import java.util.List;

/**
 * FOR UPDATE and its relatives.
 *
 * @param of the tables meant; empty for all
 */
public record Locking(Strength strength, List<QualifiedName> of, Wait ifLocked, int position) implements Node {
    public Locking {
        of = List.copyOf(of);
    }

    /** How strong the lock is. */
    public enum Strength {
        UPDATE,
        NO_KEY_UPDATE,
        SHARE,
        KEY_SHARE
    }

    /** What happens to rows that are locked. */
    public enum Wait {
        WAIT,
        NOWAIT,
        SKIP_LOCKED
    }
}
