package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.decide.SchemaChangedException;
import io.leeway.privoxy.internal.normalize.PolicyNames;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.policy.PolicySource;
import io.leeway.privoxy.internal.schema.LiveSchema;
import io.leeway.privoxy.internal.schema.LiveSchemas;
import io.leeway.privoxy.internal.schema.SchemaMark;
import io.leeway.privoxy.internal.schema.SchemaUnavailableException;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.sql.Skeleton;
import io.leeway.privoxy.internal.sql.SqlOptions;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * The guard: reads texts once, keeps what was read while policy and schema stay the same, and decides on executions.
 * Thread-safe.
 */
final class PolicyGuard implements Guard, TextSource {

    private static final System.Logger LOG = System.getLogger(PolicyGuard.class.getName());

    /** Texts kept; a text without its literals is kept apart, so dynamic texts do not crowd out plans. */
    private static final int TEXTS = 10_000;

    /** Characters of all texts kept in a generation. */
    private static final long CHARACTERS = 8_000_000;

    /** A longer text is read each time: it holds values, and a few thousand of them would fill the memory. */
    private static final int LONGEST_KEPT = 65_536;

    /** PostgreSQL's state of a transaction in which a statement has failed. */
    private static final String IN_FAILED_TRANSACTION = "25P02";

    private final LiveSchema schema;
    private final TableSource tables;
    private final LentConnections connections;
    private final PolicySource policies;
    private final EpochFactory epochs;
    private final Planner planner;
    private final TrafficTap tap;
    private volatile Reading reading;
    /** The schema's refreshes up to which tables that the policy waits for were looked for. */
    private volatile long lookedForMissing;

    /**
     * What was read in one epoch.
     *
     * <p>Texts and plans go with the epoch that they were read in, by being dropped with this object.
     */
    private record Reading(
            Epoch epoch, TwoGenerations<Key, CheckedText> texts, TwoGenerations<Key, PlannedText> plans) {

        static Reading of(Epoch epoch) {
            // Two caches: texts that come again word by word, and plans for texts that differ in their literals.
            return new Reading(epoch, weighed(), weighed());
        }

        private static <V> TwoGenerations<Key, V> weighed() {
            return new TwoGenerations<>(TEXTS, key -> key.text().length(), CHARACTERS);
        }
    }

    /**
     * A text, or what texts have in common, in a state of the session.
     *
     * <p>The session's state is part of it: the same text means something else under another search path or SQL mode.
     */
    private record Key(String text, SessionState session) {

        /** Without the session, of which there are few states. */
        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    PolicyGuard(
            LiveSchema schema,
            TableSource tables,
            LentConnections connections,
            PolicySource policies,
            EpochFactory epochs,
            Planner planner,
            TrafficTap tap) {
        this.schema = schema;
        this.tables = tables;
        this.lookedForMissing = schema.refreshes();
        this.connections = connections;
        this.policies = policies;
        this.epochs = epochs;
        this.planner = planner;
        this.tap = tap;
        this.reading = Reading.of(epochs.create(policies.current(), schema.version()));
    }

    @Override
    public GuardedStatement prepare(String sql, SessionState session, Connection connection) throws SQLException {
        Key key = new Key(sql, session);
        Reading known = reading;
        CheckedText text = known.texts().get(key);
        // The usual way takes no lock and asks nobody.
        return text != null && isInForce(known.epoch()) ? text : prepare(key, connection);
    }

    /** With a look at schema and policy, if it is time to. */
    private CheckedText prepare(Key key, Connection connection) throws SQLException {
        try (LentConnections.Loan loan = connections.lend(connection)) {
            Reading current = present();
            CheckedText text = current.texts().get(key);
            if (text == null) {
                text = read(current, key, loan);
                // A view whose table did not exist so far may show this one: the policy is compiled anew at once,
                // and not with the next look in a minute.
                if (isAwaited(text.tables())) {
                    awaken();
                    text = read(present(), key, loan);
                }
            }
            return text;
        } catch (SchemaUnavailableException unavailable) {
            throw failure(unavailable);
        } catch (PolicyNames.Moved moved) {
            throw failure(moved);
        }
    }

    @Override
    public GuardedStatement prepareInThePast(String sql, SessionState session, Connection connection)
            throws SQLException {
        Key key = new Key(sql, session);
        try (LentConnections.Loan loan = connections.lendOfThePast(connection)) {
            // No look at schema or policy: what is in force was so when the transaction began, or the caller goes
            // elsewhere.
            Reading current = reading;
            CheckedText text = current.texts().get(key);
            return text != null ? text : read(current, key, loan);
        } catch (SchemaUnavailableException unavailable) {
            throw failure(unavailable);
        }
    }

    @Override
    public SchemaMark schemaMark() {
        return schema.mark();
    }

    @Override
    public boolean isSchemaStill(SchemaMark then, Connection connection) throws SQLException {
        return schema.isStill(then.version(), connection);
    }

    @Override
    public void schemaMayHaveChanged() {
        LiveSchemas.shared().suspect(schema);
    }

    @Override
    public boolean isInForce(Epoch epoch) {
        return isPresent(epoch) && !schema.isRefreshDue() && !policies.isLookDue();
    }

    @SuppressWarnings("ReferenceEquality") // Each epoch is an object of its own.
    private boolean isPresent(Epoch epoch) {
        // A table that the policy waits for may have come with a refresh.
        return epoch == reading.epoch() && !epoch.isSchemaChanged() && lookedForMissing == schema.refreshes();
    }

    /** The reading in force, after a look at schema and policy if it is time to. */
    private Reading present() throws SQLException {
        refresh();
        LoadedPolicy loaded = policies.current();
        if (lookedForMissing != schema.refreshes()) {
            lookedForMissing = schema.refreshes();
            awaken();
            loaded = policies.current();
        }
        Reading current = reading;
        // Usually so; the lock is taken only to make a new one.
        return current.epoch().isCurrent(loaded) ? current : renew();
    }

    private void refresh() throws SQLException {
        try {
            schema.refreshIfDue(connections);
        } catch (SQLException failed) {
            // In a transaction that has failed nothing runs but its end; the look is made up for afterwards.
            if (!IN_FAILED_TRANSACTION.equals(failed.getSQLState())) {
                throw failed;
            }
        }
    }

    /**
     * Compiles the policy anew if a table that it waits for has come.
     *
     * <p>One thread at a time, as to compile a policy takes long and twice would be for nothing.
     */
    private synchronized void awaken() {
        Set<List<String>> missing = policies.current().missingTables();
        if (missing.stream().anyMatch(name -> tables.find(name, tables.searchPath()) != null)) {
            policies.recompile();
        }
    }

    /**
     * Whether one of these tables may be one that the policy waits for.
     *
     * <p>By the end of the name, in any case: a table too many is looked at, none is missed.
     */
    private boolean isAwaited(Set<String> canonicalNames) {
        for (List<String> missing : policies.current().missingTables()) {
            String last = missing.get(missing.size() - 1);
            for (String name : canonicalNames) {
                int start = name.length() - last.length();
                if (start >= 0 && name.regionMatches(true, start, last, 0, last.length())) {
                    return true;
                }
            }
        }
        return false;
    }

    private synchronized Reading renew() throws SQLException {
        if (!reading.epoch().isCurrent(policies.current())) {
            // Taken first: what changes from here on makes another epoch.
            long version = schema.version();
            // A changed file was compiled when it was loaded; a changed schema needs the same policy compiled anew.
            if (reading.epoch().isSchemaChanged()) {
                LOG.log(System.Logger.Level.INFO, "the schema has changed: the policy is compiled anew");
                policies.recompile();
            }
            reading = Reading.of(epoch(version));
        }
        return reading;
    }

    private Epoch epoch(long version) throws SQLException {
        try {
            return epochs.create(policies.current(), version);
        } catch (TemplateFiles.Unusable unusable) {
            throw unusable.failure();
        }
    }

    private CheckedText read(Reading current, Key key, LentConnections.Loan loan) throws SQLException {
        String sql = key.text();
        SessionState session = key.session();
        try {
            SqlOptions options = SessionOptions.of(schema.dialect(), session);
            Skeleton skeleton = Skeleton.of(sql, options);
            Key common = new Key(skeleton.key(), session);
            // What follows from an old catalogue is right for one transaction only.
            boolean isKept = sql.length() <= LONGEST_KEPT && !loan.hasReadThePast();
            PlannedText planned = current.plans().get(common);
            if (planned == null) {
                planned = planner.plan(current.epoch(), sql, skeleton, session);
                if (isKept) {
                    current.plans().put(common, planned);
                }
            }
            CheckedText text = new CheckedText(
                    this,
                    current.epoch(),
                    sql,
                    session,
                    planned,
                    skeleton.slots(),
                    skeleton.placed(planned.additions()),
                    tap);
            if (isKept) {
                current.texts().put(key, text);
            }
            return text;
        } catch (UnsupportedSqlException unsupported) {
            UnsupportedQueryException refusal = refusal(unsupported);
            // Recorded, as texts that are not understood are what users of a recording look for.
            tap.notUnderstood(sql, session, Denial.of(refusal));
            throw refusal;
        } catch (SchemaChangedException changed) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.SCHEMA_DRIFT,
                    "The policy does not fit the schema any more: " + changed.getMessage() + ".",
                    changed);
        }
    }

    /** In a failed transaction the database's own error says it best. */
    private static SQLException failure(SchemaUnavailableException unavailable) {
        return unavailable.getCause() instanceof SQLException cause && IN_FAILED_TRANSACTION.equals(cause.getSQLState())
                ? cause
                : new PrivoxyFailureException(
                        PrivoxyErrorCode.SCHEMA, "The schema cannot be read.", unavailable.getCause());
    }

    static PrivoxyFailureException failure(PolicyNames.Moved moved) {
        return new PrivoxyFailureException(PrivoxyErrorCode.POLICY_NAMES, String.valueOf(moved.getMessage()), moved);
    }

    /**
     * Frameworks look at states: a mistake in the grammar has 42601, a table that is not there 42P01, as the database
     * would say.
     */
    static UnsupportedQueryException refusal(UnsupportedSqlException unsupported) {
        PrivoxyErrorCode code = switch (unsupported.fault()) {
            case UNSUPPORTED -> PrivoxyErrorCode.UNSUPPORTED_SQL;
            case GRAMMAR -> PrivoxyErrorCode.SQL_GRAMMAR;
            case NO_TABLE -> PrivoxyErrorCode.NO_TABLE;
            case NO_COLUMN -> PrivoxyErrorCode.NO_COLUMN;
        };
        return UnsupportedQueryException.sql(
                code, unsupported.construct(), unsupported.offset(), unsupported.line(), unsupported.column());
    }
}
