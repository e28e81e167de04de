package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of the databases that this process talks to: read at the first connection, there for all later ones.
 *
 * <p>Static and shared, because a schema costs some queries and each connection of a pool would read it again; and
 * because changes have to be known to all connections of the process at once.
 */
public final class LiveSchemas {

    private static final LiveSchemas SHARED = new LiveSchemas(256);

    private final Map<String, LiveSchema> schemas;
    /** Those of which it is not known that they are over. */
    private final OpenChanges open = new OpenChanges(System::nanoTime);
    /**
     * How many were sent.
     *
     * <p>An object that is replaced: "nothing has happened" is then a comparison of two references, which each
     * statement makes.
     */
    private final AtomicReference<SchemaChanges> changes = new AtomicReference<>(SchemaChanges.NONE);

    /**
     * Whether a change was ever left in a transaction that outlives its connection: anybody may commit it, at any time.
     *
     * <p>Never taken back: who commits a prepared transaction, and when, is not seen here.
     */
    private volatile boolean leftOpen;

    LiveSchemas(int limit) {
        this.schemas = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, LiveSchema> eldest) {
                // The one that was used longest ago goes; it is read again when somebody wants it.
                return size() > limit;
            }
        };
    }

    /** Those of this process. */
    public static LiveSchemas shared() {
        return SHARED;
    }

    /**
     * The schema of a database.
     *
     * @param identity what makes two connections see the same tables: the real URL and the user, for whom the catalogue
     *     may hide tables; never a password
     */
    public LiveSchema of(String identity, Dialect dialect, Connection connection) throws SQLException {
        LiveSchema known = get(identity);
        if (known != null) {
            return known;
        }
        // Not under the lock: a slow database must not hold up connections to others.
        return putIfAbsent(identity, LiveSchema.open(dialect, connection, System::nanoTime));
    }

    /**
     * A change was made on one of these connections: what all databases are known to be is to be looked at again, since
     * two accounts, or two addresses, may lead to the same one.
     *
     * <p>All databases and not only that of the change: an account that dropped a key was not known to be on the same
     * database as another one, whose requests believed the key for a minute
     * ({@code FourthAttackIT.whatOneAccountChangesInTheSchemaTheOthersKnowAtOnce}).
     */
    public void suspect(LiveSchema changed) {
        changed.suspect();
        for (LiveSchema other : all()) {
            if (!other.equals(changed)) {
                other.suspect();
            }
        }
    }

    /**
     * A change is about to be sent, or the commit of one: until its end is known each decision looks at the schema
     * anew, since the server makes the change before its answer is here, or after nobody waits for that any more.
     *
     * @param session the one that it is sent through; null if that is not known
     */
    public SchemaChange beginChange(@Nullable SessionId session) {
        changes.updateAndGet(SchemaChanges::begin);
        return open.begin(session, () -> changes.updateAndGet(SchemaChanges::end));
    }

    OpenChanges open() {
        return open;
    }

    /** The changes so far: the same object as long as none begins or ends. */
    public SchemaChanges changes() {
        return Objects.requireNonNull(changes.get());
    }

    /**
     * A change was left in a transaction that others may end: a branch of a distributed one, or one that was prepared.
     */
    public void leaveOpen() {
        leftOpen = true;
    }

    /**
     * Whether the end of a transaction that outlives its connection may be a change of the schema, by whatever
     * connection.
     */
    public boolean mayBeLeftOpen() {
        return leftOpen;
    }

    /**
     * A transaction that outlives its connection was ended; if a change may have been in it, all is looked at again.
     *
     * <p>Without a change in such a transaction their commits, which some applications make all the time, cost nothing.
     */
    public void endedElsewhere() {
        if (leftOpen) {
            all().forEach(LiveSchema::suspect);
        }
    }

    private synchronized List<LiveSchema> all() {
        return List.copyOf(schemas.values());
    }

    private synchronized @Nullable LiveSchema get(String identity) {
        return schemas.get(identity);
    }

    private synchronized LiveSchema putIfAbsent(String identity, LiveSchema opened) {
        LiveSchema earlier = schemas.putIfAbsent(identity, opened);
        return earlier == null ? opened : earlier;
    }
}
