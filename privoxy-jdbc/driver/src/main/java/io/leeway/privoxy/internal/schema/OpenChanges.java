package io.leeway.privoxy.internal.schema;

import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The changes of schemas that were sent, and of which it is not known that they are over: as long as there is one, each
 * decision on a schema that it may concern looks at that first. Thread-safe.
 *
 * <p>One whose connection ends before the answer is made by the server later, or never. Whoever decides meanwhile asks,
 * in a round trip of its own, whether the session that was to make it is still there; after its end the schema is
 * looked at once more, and then all is as usual. A schema of another server finds no such server, and is free of it at
 * once.
 *
 * <p>Copy on write, as it is read by each decision and written by changes of the schema only.
 */
final class OpenChanges {

    private final LongSupplier nanoTime;
    private final List<SchemaChange> changes = new CopyOnWriteArrayList<>();

    OpenChanges(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * One is about to be sent through a session, if that is known.
     *
     * @param ended is run once, when it was answered or its connection has ended
     */
    SchemaChange begin(@Nullable SessionId session, Runnable ended) {
        // Here, where something is added anyway: no thread of its own has to clean up.
        changes.removeIf(SchemaChange::isOver);
        var change = new SchemaChange(session, nanoTime, ended);
        changes.add(change);
        return change;
    }

    /** Whether a decision on this schema has to look at it first. */
    boolean concern(LiveSchema schema) {
        for (SchemaChange change : changes) {
            if (change.concerns(schema)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Those that do not concern the schema any more when it is looked at now; to be given to {@link #settle}
     * afterwards.
     */
    List<SchemaChange> ending(LiveSchema schema, Connection connection) {
        return changes.stream()
                .filter(change -> change.concerns(schema) && change.endsFor(connection))
                .toList();
    }

    void settle(LiveSchema schema, List<SchemaChange> ended) {
        ended.forEach(change -> change.settle(schema));
        changes.removeIf(SchemaChange::isOver);
    }
}
