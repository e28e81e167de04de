package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class H2SchemaChangesTest extends SchemaChanges {

    @Override
    DatabaseServer server() {
        return TestDatabases.h2();
    }

    @Override
    String[] readingDefinitions() {
        return new String[] {
            "CREATE VIEW all_posts AS SELECT * FROM posts",
            "CREATE TABLE counted (n BIGINT DEFAULT (SELECT COUNT(*) FROM posts))",
            "ALTER TABLE users ADD COLUMN posts BIGINT DEFAULT (SELECT COUNT(*) FROM posts)",
            "CREATE ALIAS run FOR 'java.lang.Runtime.getRuntime'",
            "CREATE TRIGGER watch AFTER INSERT ON posts CALL 'x.Y'"
        };
    }

    @Override
    String[] harmless() {
        return new String[] {
            "COMMENT ON TABLE posts IS 'what people write'",
            "COMMENT ON COLUMN posts.text IS 'free text'",
            "CREATE SEQUENCE numbers",
            "CREATE SCHEMA other",
            "TRUNCATE TABLE posts"
        };
    }
}
