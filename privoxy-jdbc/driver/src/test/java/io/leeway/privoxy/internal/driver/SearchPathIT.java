package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.schema.LiveSchema;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a name means can change without the session having done anything. */
class SearchPathIT {

    @Test
    void aSchemaOfThePathThatAppearsIsNoticedWithinTheTimeOfTheSchema() throws SQLException {
        AtomicLong clock = new AtomicLong();
        try (TestDatabase database = TestDatabases.postgres().freshDatabase("path");
                Connection raw = database.connect()) {
            ServerSession server = ServerSession.of(raw, Dialect.POSTGRESQL);
            SessionStates states = new SessionStates(
                    raw,
                    Dialect.POSTGRESQL,
                    PrivoxyMode.ENFORCE,
                    server,
                    OwnSettings.none(Dialect.POSTGRESQL),
                    clock::get);
            long before = states.version();
            assertThat(states.of(ReadingMode.PLAIN).searchPath()).containsExactly("pg_catalog", "public");
            database.execute("CREATE SCHEMA \"" + database.user() + "\"");

            clock.addAndGet(LiveSchema.REFRESH_INTERVAL_NANOS);

            assertThat(states.version()).isGreaterThan(before);
            assertThat(states.of(ReadingMode.PLAIN).searchPath())
                    .containsExactly("pg_catalog", database.user(), "public");
        }
    }

    /** The same from end to end: the name that the policy shows means a table of the new schema, of which it shows nothing. */
    @Test
    void whatANameMeansByThenIsWhatIsDecidedOn(@TempDir Path directory) throws SQLException, IOException {
        AtomicLong clock = new AtomicLong();
        Path policy =
                Files.writeString(directory.resolve("policy.sql"), "CREATE VIEW u AS SELECT id, name FROM users;\n");
        PrivoxyConfig config = PrivoxyConfig.of(Map.of("privoxyPolicy", policy.toString()));
        var targets = new Targets(Targets.factory(), clock::get);
        try (TestDatabase database = TestDatabases.postgres().freshDatabase("path")) {
            database.execute(
                    "CREATE TABLE public.users (id INT PRIMARY KEY, name TEXT)", "INSERT INTO users VALUES (1, 'Ada')");
            Connection raw = database.connect();
            try (Connection checked = targets.wrap(raw, DatabaseIdentity.of(raw), config, Map.of(), Beginning.made());
                    Statement statement = checked.createStatement()) {
                assertThat(names(statement)).containsExactly("Ada");
                database.execute(
                        "CREATE SCHEMA \"" + database.user() + "\"",
                        "CREATE TABLE \"" + database.user() + "\".users (id INT PRIMARY KEY, name TEXT)",
                        "INSERT INTO \"" + database.user() + "\".users VALUES (1, 'SECRET')");

                clock.addAndGet(LiveSchema.REFRESH_INTERVAL_NANOS);

                assertThatThrownBy(() -> names(statement)).isInstanceOf(PrivoxyException.class);
            }
        }
    }

    private static List<String> names(Statement statement) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet result = statement.executeQuery("SELECT id, name FROM users")) {
            while (result.next()) {
                names.add(result.getString(2));
            }
        }
        return names;
    }
}
