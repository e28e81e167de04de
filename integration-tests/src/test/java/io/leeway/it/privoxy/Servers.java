package io.leeway.it.privoxy;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

/** The databases under which the software of others is tried. */
enum Servers {
    POSTGRESQL,
    MARIADB;

    DatabaseServer server() {
        return this == POSTGRESQL ? TestDatabases.postgres() : TestDatabases.mariadb();
    }

    /** A calendar as the quick start has it: user 2 attends event 5, not event 6. */
    CheckedDatabase calendar() throws Exception {
        CheckedDatabase database = CheckedDatabase.on(server(), "calendar", POLICY);
        database.plain()
                .execute(
                        "CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(120) NOT NULL)",
                        "CREATE TABLE events (id BIGINT NOT NULL PRIMARY KEY, title VARCHAR(200) NOT NULL)",
                        "CREATE TABLE attendances (user_id BIGINT NOT NULL, event_id BIGINT NOT NULL,"
                                + " PRIMARY KEY (user_id, event_id), FOREIGN KEY (user_id) REFERENCES users (id),"
                                + " FOREIGN KEY (event_id) REFERENCES events (id))",
                        "CREATE TABLE notes (id BIGINT NOT NULL PRIMARY KEY, user_id BIGINT NOT NULL,"
                                + " text VARCHAR(200) NOT NULL, FOREIGN KEY (user_id) REFERENCES users (id))",
                        "INSERT INTO users VALUES (1, 'Ada'), (2, 'Ben'), (3, 'Cleo')",
                        "INSERT INTO events VALUES (5, 'Planning'), (6, 'Surprise party')",
                        "INSERT INTO attendances VALUES (2, 5), (3, 5), (3, 6)",
                        "INSERT INTO notes VALUES (21, 2, 'of Ben'), (31, 3, 'of Cleo')");
        return database;
    }

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW user_names AS SELECT id, name FROM users;
            CREATE VIEW my_events AS
              SELECT e.*, a.* FROM events e JOIN attendances a ON e.id = a.event_id WHERE a.user_id = ?MyUId;
            CREATE VIEW my_notes AS SELECT * FROM notes WHERE user_id = ?MyUId;
            """;
}
