package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.schema.LiveSchema;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a name means can change without the session having done anything. */
class SearchPathIT {

    @Test
    void aSchemaOfThePathThatAppearsIsNoticedWithinTheTimeOfTheSchema() throws SQLException {
        AtomicLong clock = new AtomicLong();
        try (TestDatabase database = TestDatabases.postgres().freshDatabase("path");
                Connection raw = database.connect()) {
            ServerSession server = ServerSession.of(raw, Dialect.POSTGRESQL);
            SessionStates states = new SessionStates(raw, Dialect.POSTGRESQL, PrivoxyMode.ENFORCE, server, clock::get);
            long before = states.version();
            assertThat(states.of(ReadingMode.PLAIN).searchPath()).containsExactly("pg_catalog", "public");
            database.execute("CREATE SCHEMA \"" + database.user() + "\"");

            clock.addAndGet(LiveSchema.REFRESH_INTERVAL_NANOS);

            assertThat(states.version()).isGreaterThan(before);
            assertThat(states.of(ReadingMode.PLAIN).searchPath())
                    .containsExactly("pg_catalog", database.user(), "public");
        }
    }
}
