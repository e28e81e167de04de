package io.leeway.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class CompatibilityPageTest {

    @Test
    void namesTheVersionsThatTheTestsRunAgainst() throws IOException, SQLException {
        String page = Files.readString(Repository.ROOT.resolve("docs/reference/compatibility.md"));

        try (var postgres = TestDatabases.postgres().freshDatabase("versions");
                var mariadb = TestDatabases.mariadb().freshDatabase("versions");
                var h2 = TestDatabases.h2().freshDatabase("versions")) {
            assertThat(page).contains("| PostgreSQL | " + server(postgres, 1) + ", driver " + driver(postgres));
            assertThat(page).contains("| MariaDB | " + server(mariadb, 2) + ", driver " + driver(mariadb));
            assertThat(page).contains("| H2 | " + server(h2, 2));
        }
    }

    private static String server(TestDatabase database, int parts) throws SQLException {
        try (var connection = database.connect()) {
            var metadata = connection.getMetaData();
            String major = Integer.toString(metadata.getDatabaseMajorVersion());
            return parts == 1 ? major : major + "." + metadata.getDatabaseMinorVersion();
        }
    }

    private static String driver(TestDatabase database) throws SQLException {
        try (var connection = database.connect()) {
            return connection.getMetaData().getDriverMajorVersion() + "."
                    + connection.getMetaData().getDriverMinorVersion();
        }
    }
}
