package io.leeway.privoxy.internal.guard;

import static io.leeway.privoxy.internal.guard.CheckedDatabase.rows;
import static io.leeway.privoxy.internal.guard.CheckedDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class PostgresSchemaChangesIT extends SchemaChanges {

    @Override
    DatabaseServer server() {
        return TestDatabases.postgres();
    }

    @Override
    String[] readingDefinitions() {
        return new String[] {
            "CREATE VIEW all_posts AS SELECT * FROM posts",
            "CREATE MATERIALIZED VIEW all_posts AS SELECT * FROM posts",
            "CREATE FUNCTION n() RETURNS BIGINT LANGUAGE sql AS 'SELECT count(*) FROM posts'",
            "CREATE RULE copying AS ON INSERT TO users DO ALSO SELECT * FROM posts",
            "CREATE TRIGGER watch AFTER INSERT ON posts FOR EACH ROW EXECUTE FUNCTION n()"
        };
    }

    @Override
    String[] harmless() {
        return new String[] {
            "COMMENT ON TABLE posts IS 'what people write'",
            "COMMENT ON COLUMN posts.text IS 'free text'",
            "CREATE SEQUENCE numbers",
            "CREATE SCHEMA other",
            "CREATE TYPE mood AS ENUM ('sad', 'glad')",
            "CREATE UNIQUE INDEX IF NOT EXISTS posts_once ON posts (id, author_id)",
            "TRUNCATE TABLE posts"
        };
    }

    @Test
    void aChangeThatWasRolledBackIsNotReliedOn() throws SQLException {
        String policy =
                "CREATE VIEW texts AS SELECT id, text FROM notes; CREATE VIEW kinds AS SELECT id, kind FROM notes;";
        String both = "SELECT text, kind FROM notes WHERE id = 1";
        try (CheckedDatabase database = new CheckedDatabase(
                        server(),
                        directory,
                        policy,
                        "CREATE TABLE notes (id BIGINT NOT NULL, text VARCHAR(50), kind VARCHAR(50))",
                        "INSERT INTO notes VALUES (1, 'one', 'a')");
                Connection connection = database.connect()) {
            assertRefused(connection, both);
            connection.setAutoCommit(false);
            run(connection, "ALTER TABLE notes ADD CONSTRAINT notes_id UNIQUE (id)");
            assertThat(rows(connection, both)).containsExactly("one,a");

            connection.rollback();

            assertRefused(connection, both);
        }
    }
}
