package io.leeway.testkit.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The servers that a provider can start, with what differs between them in SQL. */
enum ServerKind {
    POSTGRESQL("PostgreSQL") {
        @Override
        void drop(Connection admin, String database) throws SQLException {
            execute(admin, "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
        }
    },
    MARIADB("MariaDB") {
        /** A session with an open transaction would hold up the drop for ever, so sessions end first. */
        @Override
        void drop(Connection admin, String database) throws SQLException {
            for (long session : sessionsIn(admin, database)) {
                end(admin, session);
            }
            execute(admin, "DROP DATABASE IF EXISTS " + database);
        }
    };

    /** MariaDB's number for it. */
    private static final int NO_SUCH_SESSION = 1094;

    private final String title;

    ServerKind(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    void create(Connection admin, String database) throws SQLException {
        execute(admin, "CREATE DATABASE " + database);
    }

    abstract void drop(Connection admin, String database) throws SQLException;

    private static void execute(Connection admin, String sql) throws SQLException {
        try (var statement = admin.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void end(Connection admin, long session) throws SQLException {
        try {
            execute(admin, "KILL CONNECTION " + session);
        } catch (SQLException e) {
            // It may have ended by itself in the meantime.
            if (e.getErrorCode() != NO_SUCH_SESSION) {
                throw e;
            }
        }
    }

    private static List<Long> sessionsIn(Connection admin, String database) throws SQLException {
        try (var query = admin.prepareStatement("SELECT id FROM information_schema.processlist WHERE db = ?")) {
            query.setString(1, database);
            var sessions = new ArrayList<Long>();
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    sessions.add(rows.getLong(1));
                }
            }
            return sessions;
        }
    }
}
