package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class MariaDbSchemaChangesIT extends SchemaChanges {

    @Override
    DatabaseServer server() {
        return TestDatabases.mariadb();
    }

    @Override
    String[] readingDefinitions() {
        return new String[] {
            "CREATE VIEW all_posts AS SELECT * FROM posts",
            "CREATE FUNCTION n() RETURNS BIGINT RETURN (SELECT count(*) FROM posts)",
            "CREATE PROCEDURE p() SELECT * FROM posts",
            "CREATE TRIGGER watch AFTER INSERT ON posts FOR EACH ROW INSERT INTO users SELECT id, text, text FROM posts",
            "CREATE EVENT later ON SCHEDULE EVERY 1 HOUR DO INSERT INTO users SELECT id, text, text FROM posts"
        };
    }

    @Override
    String[] harmless() {
        return new String[] {
            "ALTER TABLE posts COMMENT = 'what people write'",
            "CREATE SEQUENCE numbers",
            "CREATE UNIQUE INDEX IF NOT EXISTS posts_once ON posts (id, author_id)",
            "TRUNCATE TABLE posts"
        };
    }

    @Override
    String nullable(String table, String column, String type) {
        return "ALTER TABLE " + table + " MODIFY COLUMN " + column + " " + type + " NULL";
    }
}
