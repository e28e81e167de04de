package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.guard.Guard;
import io.leeway.privoxy.internal.guard.GuardFactory;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One target for each database, user and configuration, opened with the first connection and kept. A failed opening is
 * tried again with the next connection. Thread-safe.
 *
 * <p>A guard, with templates and traces, is shared by all connections to one database, so the question which
 * database that is decides who gets whose facts. The URL alone does not say: a routing data source keeps it while
 * the server changes ({@code ConnectionCasesIT}).
 */
public final class Targets {

    /** A database that no other connection can lead to gets an identity that no other one has. */
    private static final AtomicLong PRIVATE = new AtomicLong();

    private final GuardFactory factory;
    private final LongSupplier clock;
    private final Map<Key, Slot> slots = new ConcurrentHashMap<>();

    /** Targets whose guards come from a factory. */
    public Targets(GuardFactory factory) {
        this(factory, System::nanoTime);
    }

    /** The same, with a clock that says when what sessions have been asked is old. */
    Targets(GuardFactory factory, LongSupplier clock) {
        this.factory = factory;
        this.clock = clock;
    }

    /** The targets of this JVM. */
    public static Targets installed() {
        return Installed.TARGETS;
    }

    /**
     * Wraps a connection.
     *
     * @param raw the real connection; closed if this fails
     * @param context parameters that hold as long as no others are given
     * @param beginning how it comes to its physical connection; but for handles no transaction of the application can be in
     *     progress
     */
    CheckedConnection wrap(
            Connection raw,
            DatabaseIdentity database,
            PrivoxyConfig config,
            Map<String, String> context,
            Beginning beginning)
            throws SQLException {
        boolean done = false;
        try {
            CheckedConnection checked = CheckedConnection.of(session(raw, database, config, context, beginning));
            if (!beginning.isHandle() && !raw.getAutoCommit()) {
                // What was read to get here must not be the beginning of the application's transaction.
                raw.rollback();
            }
            checked.session().begin(beginning);
            done = true;
            return checked;
        } finally {
            if (!done) {
                raw.close();
            }
        }
    }

    private Session session(
            Connection raw,
            DatabaseIdentity database,
            PrivoxyConfig config,
            Map<String, String> context,
            Beginning beginning)
            throws SQLException {
        ServerSession server = ServerSession.of(raw, database.dialect());
        SessionStates states = new SessionStates(
                raw, database.dialect(), config.mode(), server, own(database.dialect(), server, beginning), clock);
        // Notes which physical connection the settings are of, before these are read.
        states.isConnectionChanged();
        states.version();
        SessionSchema.Retargeting retargeting = (told, own) -> {
            Key key = new Key(database.with(told), database.dialect(), config, database.alone(told));
            return own ? own(key, raw) : target(key, raw, database.isPrivate());
        };
        Target target = retargeting.target(states.identity(), false);
        DriverOptions.check(raw, target);
        return new Session(raw, target, ClientInfo.values(context), server, states, retargeting, beginning.isolation());
    }

    /** H2's driver does not tell physical connections apart, and its few settings are not worth that nothing is shared. */
    private static OwnSettings own(Dialect dialect, ServerSession server, Beginning beginning) {
        if (dialect == Dialect.H2) {
            return OwnSettings.none(dialect);
        }
        Object physical = server.physical();
        if (physical != null) {
            return OwnSettings.of(physical, dialect);
        }
        return beginning.isNew() && !beginning.isHandle() ? OwnSettings.none(dialect) : OwnSettings.unknown(dialect);
    }

    private Target target(Key key, Connection raw, boolean isPrivate) throws SQLException {
        Slot slot = isPrivate ? new Slot() : slots.computeIfAbsent(key, absent -> new Slot());
        return slot.get(this, key, raw, isPrivate);
    }

    /**
     * A target for one transaction that has changed the schema.
     *
     * <p>Not kept: what is opened here is dropped with the transaction.
     */
    private Target own(Key key, Connection raw) throws SQLException {
        try {
            Guard guard = factory.openForTransaction(key.config, raw, key.dialect, key.database);
            return Target.of(guard, key.config, key.dialect, key.alone);
        } catch (RuntimeException | LinkageError fault) {
            throw cannotOpen(fault);
        }
    }

    /** A refusal, as a connection without a guard would be unchecked. */
    private static PrivoxyFailureException cannotOpen(Throwable fault) {
        String detail = "The guard cannot be opened (" + fault.getClass().getName() + ").";
        return new PrivoxyFailureException(PrivoxyErrorCode.INTERNAL, detail, fault);
    }

    private Guard open(Key key, Connection raw, boolean isPrivate) throws SQLException {
        if (key.config.mode() == PrivoxyMode.OFF) {
            // Nothing is read and no policy needed: off means off.
            return new OffGuard();
        }
        try {
            String identity = isPrivate ? key.database + PRIVATE.incrementAndGet() : key.database;
            return factory.open(key.config, raw, key.dialect, identity);
        } catch (RuntimeException | LinkageError fault) {
            throw cannotOpen(fault);
        }
    }

    static GuardFactory factory() {
        return ServiceLoader.load(GuardFactory.class, Targets.class.getClassLoader())
                .findFirst()
                // Without a guard every connection is refused, not unchecked.
                .orElse((config, metadata, dialect) -> {
                    throw new PrivoxyFailureException(
                            PrivoxyErrorCode.INTERNAL, "The jar is not complete: it has no guard.");
                });
    }

    /**
     * A database, as its server and its users tell it from others, and what is asked of us there.
     *
     * <p>With the configuration, since a guard decides by it.
     *
     * @param alone the database without its users; null if nobody else has it
     */
    private record Key(
            String database,
            Dialect dialect,
            PrivoxyConfig config,
            @Nullable String alone) {}

    /**
     * Holds one target, opened by the first thread that asks while the others wait.
     *
     * <p>So that a slow first opening holds up only those who want the same database.
     */
    private static final class Slot {

        private volatile @Nullable Target target;

        Target get(Targets targets, Key key, Connection raw, boolean isPrivate) throws SQLException {
            Target known = target;
            if (known == null) {
                synchronized (this) {
                    known = target;
                    if (known == null) {
                        known = Target.of(targets.open(key, raw, isPrivate), key.config, key.dialect, key.alone);
                        target = known;
                    }
                }
            }
            return known;
        }
    }

    private static final class Installed {
        static final Targets TARGETS = new Targets(factory());
    }
}
