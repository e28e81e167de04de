package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MariaDbMovingColumnsIT extends MovingColumns {

    private static final String NOTE = "SELECT text FROM notes WHERE at = TIMESTAMP'2026-01-01 10:00:00'";

    @Override
    DatabaseServer server() {
        return TestDatabases.mariadb();
    }

    @Override
    String upsert() {
        return "INSERT INTO posts (id, owner_id, base) VALUES (1, 2, 50) ON DUPLICATE KEY UPDATE base = 50";
    }

    @Override
    String morePolicy() {
        return """
                CREATE VIEW notes_of_mine AS
                  SELECT n.* FROM notes n JOIN drafts d ON d.changed = n.at WHERE d.owner_id = ?MyUId;
                CREATE VIEW my_drafts AS SELECT * FROM drafts WHERE owner_id = ?MyUId;
                """;
    }

    @Override
    String[] more() {
        return new String[] {
            "CREATE TABLE drafts (id BIGINT NOT NULL PRIMARY KEY, owner_id BIGINT NOT NULL, text VARCHAR(50),"
                    + " changed DATETIME DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)",
            "CREATE TABLE notes (id BIGINT NOT NULL PRIMARY KEY, at DATETIME NOT NULL, text VARCHAR(50))",
            "INSERT INTO drafts VALUES (1, 2, 'a', '2026-01-01 10:00:00'), (2, 2, 'b', '2026-02-01 10:00:00')",
            "INSERT INTO notes VALUES (300, '2026-01-01 10:00:00', 'at ten')"
        };
    }

    @Test
    void theTimeOfAnUpdateMovesWithEveryUpdate() throws SQLException {
        refused(NOTE);
        assertThat(rows("SELECT id, owner_id, changed FROM drafts WHERE owner_id = 2"))
                .hasSize(2);
        allowed(NOTE);

        run("UPDATE drafts SET text = 'later' WHERE id = 2");
        allowed(NOTE);
        run("UPDATE drafts SET text = 'later' WHERE id = 1");

        refused(NOTE);
        assertThat(rows("SELECT id FROM drafts WHERE owner_id = 2 AND changed = TIMESTAMP'2026-01-01 10:00:00'"))
                .isEmpty();
    }

    @Test
    void anUpsertMovesItToo() throws SQLException {
        assertThat(rows("SELECT id, owner_id, changed FROM drafts WHERE owner_id = 2"))
                .hasSize(2);
        allowed(NOTE);

        run("INSERT INTO drafts (id, owner_id) VALUES (1, 2) ON DUPLICATE KEY UPDATE text = 'later'");

        refused(NOTE);
    }
}
