package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.normalize.AllowedFunctions;
import io.leeway.privoxy.internal.normalize.LiveTables;
import io.leeway.privoxy.internal.normalize.Normalizer;
import io.leeway.privoxy.internal.normalize.PolicyCompiler;
import io.leeway.privoxy.internal.normalize.PolicyNames;
import io.leeway.privoxy.internal.policy.InvalidPolicyException;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.policy.PolicyLoader;
import io.leeway.privoxy.internal.policy.PolicySource;
import io.leeway.privoxy.internal.policy.SourceText;
import io.leeway.privoxy.internal.schema.LiveSchema;
import io.leeway.privoxy.internal.schema.LiveSchemas;
import io.leeway.privoxy.internal.schema.SchemaUnavailableException;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SqlOptions;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;

/** Makes guards that enforce a policy. Found by the driver as a service. Thread-safe. */
public final class PolicyGuardFactory implements GuardFactory {

    /** Made by the service loader. */
    public PolicyGuardFactory() {}

    /** Where nobody has told the database from others: by URL and user. */
    @Override
    public Guard open(PrivoxyConfig config, Connection metadata, Dialect dialect) throws SQLException {
        DatabaseMetaData database = metadata.getMetaData();
        return open(config, metadata, dialect, database.getURL() + '\n' + database.getUserName());
    }

    @Override
    public Guard open(PrivoxyConfig config, Connection metadata, Dialect dialect, String identity) throws SQLException {
        return open(config, metadata, dialect, LiveSchemas.shared().of(identity, dialect, metadata), false, identity);
    }

    @Override
    public Guard openForTransaction(PrivoxyConfig config, Connection metadata, Dialect dialect, String identity)
            throws SQLException {
        // A schema of its own: nothing that is read there may become known to others, whatever becomes of the
        // transaction.
        LiveSchema schema = LiveSchema.openForSession(dialect, metadata, System::nanoTime);
        return open(config, metadata, dialect, schema, true, identity);
    }

    private static Guard open(
            PrivoxyConfig config,
            Connection metadata,
            Dialect dialect,
            LiveSchema schema,
            boolean whatFits,
            String identity)
            throws SQLException {
        LentConnections connections = new LentConnections();
        TableSource tables = schema.through(connections);
        LiveTables resolver = new LiveTables(tables);
        PolicyCompiler compiler = new PolicyCompiler(
                SqlOptions.of(dialect),
                PolicyNames.of(resolver, place(config, metadata, identity)),
                tables.searchPath());
        // Lent for the loading only; later each statement lends its own.
        try (LentConnections.Loan loan = connections.lend(metadata)) {
            PolicySource policies = PolicySource.open(
                    config.get(PrivoxyOptions.POLICY),
                    loader(compiler, tables, whatFits),
                    config.get(PrivoxyOptions.RELOAD),
                    System::nanoTime,
                    PolicySource.Listener.NONE);
            Planner planner = new Planner(new Normalizer(dialect, resolver, false, functions(config, dialect)), tables);
            TrafficTap tap = TrafficTap.of(config, dialect);
            EpochFactory epochs = new EpochFactory(config, schema, tables, tap, DecisionListener.NONE);
            return new PolicyGuard(schema, tables, connections, policies, epochs, planner, tap);
        } catch (TemplateFiles.Unusable unusable) {
            throw unusable.failure();
        } catch (PolicyNames.Moved moved) {
            throw PolicyGuard.failure(moved);
        } catch (InvalidPolicyException invalid) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.POLICY, "The policy cannot be used:\n" + invalid.getMessage(), invalid);
        } catch (SchemaUnavailableException unavailable) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.SCHEMA, "The schema cannot be read.", unavailable.getCause());
        }
    }

    /**
     * What the policy's names belong to: one way to connect to one database, wherever that looks names up now.
     *
     * <p>A policy's names without schema mean what they meant first, for one URL and account: who could make a table of
     * that name appear earlier on the path would else choose what the policy shows ({@code PolicyMeaningIT}).
     */
    private static String place(PrivoxyConfig config, Connection metadata, String identity) throws SQLException {
        DatabaseMetaData database = metadata.getMetaData();
        return String.join(
                "\n",
                String.join(",", config.get(PrivoxyOptions.POLICY)),
                String.valueOf(database.getURL()),
                String.valueOf(database.getUserName()),
                identity.substring(identity.indexOf(END_OF_PATH) + 1));
    }

    private static AllowedFunctions functions(PrivoxyConfig config, Dialect dialect) throws SQLException {
        try {
            return AllowedFunctions.of(config.get(PrivoxyOptions.FUNCTIONS), dialect);
        } catch (IllegalArgumentException unreadable) {
            // A misspelt option must not end in a function less, or one more, than was meant.
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.CONFIGURATION, "privoxyFunctions: " + unreadable.getMessage() + ".", unreadable);
        }
    }

    private static PolicySource.Loader loader(PolicyCompiler compiler, TableSource tables, boolean whatFits) {
        return new PolicySource.Loader() {
            @Override
            public LoadedPolicy load(List<SourceText> sources) throws InvalidPolicyException {
                // Within a transaction that has changed the schema the policy need not fit as a whole.
                return whatFits ? loadWhatFits(sources) : PolicyLoader.load(sources, compiler, tables);
            }

            @Override
            public LoadedPolicy loadWhatFits(List<SourceText> sources) throws InvalidPolicyException {
                return PolicyLoader.loadWhatFits(sources, compiler, tables);
            }
        };
    }
}
