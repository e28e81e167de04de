package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.driver.PlainConnection;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.guard.Trial;
import io.leeway.privoxy.internal.normalize.AllowedFunctions;
import io.leeway.privoxy.internal.normalize.LiveTables;
import io.leeway.privoxy.internal.normalize.PolicyCompiler;
import io.leeway.privoxy.internal.policy.Finding;
import io.leeway.privoxy.internal.policy.InvalidPolicyException;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.policy.PolicyFiles;
import io.leeway.privoxy.internal.policy.PolicyLoader;
import io.leeway.privoxy.internal.policy.SourceText;
import io.leeway.privoxy.internal.schema.ConnectionSource;
import io.leeway.privoxy.internal.schema.LiveSchema;
import io.leeway.privoxy.internal.schema.SchemaSnapshot;
import io.leeway.privoxy.internal.schema.SchemaTextReader;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SqlOptions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The schema that a command works with, of a live database or of a text file, and policies for it. */
final class Workspace implements AutoCloseable {

    /** What says where the schema is. */
    static final List<Usage.Option> SCHEMA_OPTIONS = List.of(
            new Usage.Option("schema", "FILE", "the tables, as \"privoxy schema\" wrote them"),
            new Usage.Option("url", "URL", "the tables of a live database instead, as jdbc:postgresql://host/db"),
            new Usage.Option("user", "NAME", "of the database"),
            new Usage.Option("password-file", "FILE", "its first line; or set PRIVOXY_PASSWORD"),
            new Usage.Option("driver", "JAR", "the database's driver, if it is not on the class path"));

    /** The same and policy files. */
    static final List<Usage.Option> OPTIONS = withPolicy();

    private final TableSource tables;
    private final Dialect dialect;
    private final @Nullable PlainConnection connection;
    private final @Nullable LiveSchema live;

    private Workspace(
            TableSource tables, Dialect dialect, @Nullable PlainConnection connection, @Nullable LiveSchema live) {
        this.tables = tables;
        this.dialect = dialect;
        this.connection = connection;
        this.live = live;
    }

    private static List<Usage.Option> withPolicy() {
        var options = new ArrayList<Usage.Option>();
        options.add(new Usage.Option("policy", "FILE", "policy file or folder; may be repeated"));
        options.addAll(SCHEMA_OPTIONS);
        options.add(new Usage.Option(
                "set", "OPTION=VALUE", "an option of the driver, as privoxyEffort=1000000; may be repeated"));
        return List.copyOf(options);
    }

    /** Options of a command: its own, then those of policy and schema. */
    static List<Usage.Option> and(Usage.Option... own) {
        var options = new ArrayList<>(List.of(own));
        options.addAll(OPTIONS);
        return options;
    }

    /** Opens what the arguments name. */
    static Workspace open(Arguments arguments, Console console) throws CommandException {
        String schema = arguments.get("schema");
        String url = arguments.get("url");
        if ((schema == null) == (url == null)) {
            throw arguments.problem(
                    schema == null
                            ? "the tables are needed: give --schema FILE or --url URL"
                            : "--schema and --url cannot be used together");
        }
        return schema != null ? ofText(schema) : ofDatabase(String.valueOf(url), arguments, console);
    }

    private static Workspace ofText(String file) throws CommandException {
        try {
            SchemaSnapshot snapshot = SchemaTextReader.read(TextFiles.read(file));
            return new Workspace(snapshot, snapshot.dialect(), null, null);
        } catch (IllegalArgumentException noSchema) {
            throw new CommandException(file + ": " + noSchema.getMessage(), noSchema);
        }
    }

    private static Workspace ofDatabase(String url, Arguments arguments, Console console) throws CommandException {
        var properties = new Properties();
        String user = arguments.get("user");
        if (user != null) {
            properties.setProperty("user", user);
        }
        String password = password(arguments, console);
        if (password != null) {
            properties.setProperty("password", password);
        }
        PlainConnection connection = null;
        try {
            connection = PlainConnection.open(url, properties, arguments.get("driver"));
            LiveSchema live = LiveSchema.open(connection.dialect(), connection.connection(), System::nanoTime);
            TableSource tables = live.through(ConnectionSource.of(connection.connection()));
            return new Workspace(tables, connection.dialect(), connection, live);
        } catch (SQLException refused) {
            if (connection != null) {
                connection.close();
            }
            throw new CommandException(
                    "cannot read the tables of " + PlainConnection.display(url) + ": " + refused.getMessage(), refused);
        }
    }

    private static @Nullable String password(Arguments arguments, Console console) throws CommandException {
        String file = arguments.get("password-file");
        return file == null
                ? console.environment().apply("PRIVOXY_PASSWORD")
                : TextFiles.read(file).lines().findFirst().orElse("");
    }

    TableSource tables() {
        return tables;
    }

    Dialect dialect() {
        return dialect;
    }

    /** All that was read of the schema by now. */
    SchemaSnapshot snapshot() {
        return live != null ? live.snapshot() : (SchemaSnapshot) tables;
    }

    /** A session with the database's defaults. */
    SessionState session() {
        List<String> settings = switch (dialect) {
            case POSTGRESQL -> List.of("standard_conforming_strings=on");
            case H2 -> List.of("mode=REGULAR");
            case MARIADB -> List.of();
        };
        return new SessionState(tables.searchPath(), settings);
    }

    /** The texts of the policy files that the arguments name. */
    static List<SourceText> sources(Arguments arguments, List<String> more) throws CommandException {
        var locations = new ArrayList<>(arguments.all("policy"));
        locations.addAll(more);
        if (locations.isEmpty()) {
            throw arguments.problem("a policy is needed: give --policy FILE");
        }
        try {
            return PolicyFiles.read(locations).sources();
        } catch (InvalidPolicyException unreadable) {
            throw new CommandException(unreadable.findings().stream()
                    .map(finding -> finding.position().file() + ": " + finding.message())
                    .reduce((a, b) -> a + "; " + b)
                    .orElse("the policy cannot be read"));
        }
    }

    /** Compiles a policy. */
    LoadedPolicy load(List<SourceText> sources) throws InvalidPolicyException {
        var compiler = new PolicyCompiler(SqlOptions.of(dialect), new LiveTables(tables), tables.searchPath());
        return PolicyLoader.load(sources, compiler, tables);
    }

    /** Compiles the policy that the arguments name; it must be without errors. */
    LoadedPolicy policy(Arguments arguments) throws CommandException {
        try {
            AllowedFunctions.of(config(arguments, Map.of()).get(PrivoxyOptions.FUNCTIONS), dialect);
        } catch (IllegalArgumentException unreadable) {
            throw new CommandException("privoxyFunctions: " + unreadable.getMessage(), unreadable);
        }
        try {
            return load(sources(arguments, List.of()));
        } catch (InvalidPolicyException invalid) {
            throw new CommandException("the policy cannot be used:\n" + errors(invalid), invalid);
        }
    }

    private static String errors(InvalidPolicyException invalid) {
        return invalid.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(finding -> "  " + finding)
                .reduce((a, b) -> a + "\n" + b)
                .orElse("");
    }

    /** The driver's options, as given, over those that the command wants. */
    static PrivoxyConfig config(Arguments arguments, Map<String, String> wanted) throws CommandException {
        var options = new HashMap<>(wanted);
        options.put(PrivoxyOptions.POLICY.key(), "given");
        options.put(PrivoxyOptions.METRICS.key(), "none");
        options.putAll(arguments.pairs("set"));
        // A tool wants to know what is refused, whatever becomes of it.
        options.put(PrivoxyOptions.MODE.key(), "enforce");
        options.remove(PrivoxyOptions.TABLES.key());
        options.remove(PrivoxyOptions.RECORD.key());
        try {
            return PrivoxyConfig.of(options);
        } catch (PrivoxyFailureException invalid) {
            throw new CommandException(String.valueOf(invalid.getMessage()), invalid);
        }
    }

    /** Prepares to decide under a policy. */
    Trial trial(PrivoxyConfig config, LoadedPolicy loaded) {
        return Trial.of(config, loaded, tables, dialect);
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
    }
}
