package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.decide.SchemaChangedException;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.policy.PolicySource;
import io.leeway.privoxy.internal.schema.LiveSchema;
import io.leeway.privoxy.internal.schema.SchemaUnavailableException;
import io.leeway.privoxy.internal.sql.Skeleton;
import io.leeway.privoxy.internal.sql.SqlOptions;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The guard: reads texts once, keeps what was read while policy and schema stay the same, and decides on executions.
 * Thread-safe.
 */
final class PolicyGuard implements Guard {

    private static final System.Logger LOG = System.getLogger(PolicyGuard.class.getName());

    /** Texts kept; a text without its literals is kept apart, so dynamic texts do not crowd out plans. */
    private static final int TEXTS = 10_000;

    private final LiveSchema schema;
    private final LentConnections connections;
    private final PolicySource policies;
    private final EpochFactory epochs;
    private final Planner planner;
    private volatile Reading reading;

    /** What was read in one epoch. */
    private record Reading(
            Epoch epoch, TwoGenerations<Key, CheckedText> texts, TwoGenerations<Key, PlannedText> plans) {

        static Reading of(Epoch epoch) {
            return new Reading(epoch, new TwoGenerations<>(TEXTS), new TwoGenerations<>(TEXTS));
        }
    }

    /** A text, or what texts have in common, in a state of the session. */
    private record Key(String text, SessionState session) {}

    PolicyGuard(
            LiveSchema schema,
            LentConnections connections,
            PolicySource policies,
            EpochFactory epochs,
            Planner planner) {
        this.schema = schema;
        this.connections = connections;
        this.policies = policies;
        this.epochs = epochs;
        this.planner = planner;
        this.reading = Reading.of(epochs.create(policies.current(), schema.version()));
    }

    @Override
    public GuardedStatement prepare(String sql, SessionState session, Connection connection) throws SQLException {
        CheckedText known = reading().texts().get(new Key(sql, session));
        if (known != null) {
            return known;
        }
        try (LentConnections.Loan loan = connections.lend(connection)) {
            schema.refreshIfDue(connections);
            return read(reading(), sql, session);
        }
    }

    /** Reads a prepared text again, under a new policy or schema, without a connection: what is not known is refused. */
    GuardedStatement readAgain(String sql, SessionState session) throws SQLException {
        Reading current = reading();
        CheckedText known = current.texts().get(new Key(sql, session));
        return known != null ? known : read(current, sql, session);
    }

    /** The epoch in force. */
    Epoch epoch() {
        return reading().epoch();
    }

    private Reading reading() {
        Reading current = reading;
        LoadedPolicy loaded = policies.current();
        return current.epoch().isCurrent(loaded) ? current : renew();
    }

    private synchronized Reading renew() {
        if (!reading.epoch().isCurrent(policies.current())) {
            // Taken first: what changes from here on makes another epoch.
            long version = schema.version();
            if (reading.epoch().isSchemaChanged()) {
                // The policy is compiled against the schema; if it does not fit any more, the last good one stays.
                LOG.log(System.Logger.Level.INFO, "the schema has changed: the policy is compiled anew");
                policies.reload();
            }
            reading = Reading.of(epochs.create(policies.current(), version));
        }
        return reading;
    }

    private CheckedText read(Reading current, String sql, SessionState session) throws SQLException {
        try {
            SqlOptions options = SessionOptions.of(schema.dialect(), session);
            Skeleton skeleton = Skeleton.of(sql, options);
            Key key = new Key(skeleton.key(), session);
            PlannedText planned = current.plans().get(key);
            if (planned == null) {
                planned = planner.plan(current.epoch(), sql, skeleton, session);
                current.plans().put(key, planned);
            }
            CheckedText text = new CheckedText(this, current.epoch(), sql, session, planned, skeleton.slots());
            current.texts().put(new Key(sql, session), text);
            return text;
        } catch (UnsupportedSqlException unsupported) {
            throw UnsupportedQueryException.sql(
                    unsupported.construct(), unsupported.offset(), unsupported.line(), unsupported.column());
        } catch (SchemaChangedException changed) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.SCHEMA_DRIFT,
                    "The policy does not fit the schema any more: " + changed.getMessage() + ".",
                    changed);
        } catch (SchemaUnavailableException unavailable) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.SCHEMA, "The schema cannot be read.", unavailable.getCause());
        }
    }
}
