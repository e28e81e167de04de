package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was refused although nothing speaks against it, and the answers that look alike and must stay refused. */
class PrecisionCasesIT extends Cases {

    private static final String[] SHARED = {
        "CREATE TABLE posts (id BIGINT PRIMARY KEY, author_id BIGINT NOT NULL, public BOOLEAN NOT NULL,"
                + " type VARCHAR(10) NOT NULL, text VARCHAR(50))",
        "CREATE TABLE share_visibilities (id BIGINT PRIMARY KEY, shareable_id BIGINT NOT NULL,"
                + " user_id BIGINT NOT NULL, UNIQUE (shareable_id, user_id))",
        "CREATE TABLE shares (id BIGINT PRIMARY KEY, post_id BIGINT NOT NULL, user_id BIGINT NOT NULL)",
        "INSERT INTO posts VALUES (1, 1, TRUE, 'A', 'one'), (5, 2, FALSE, 'B', 'five'), (6, 2, FALSE, 'A', 'SECRET')",
        "INSERT INTO share_visibilities VALUES (1, 5, 7), (2, 6, 8)",
        "INSERT INTO shares VALUES (1, 5, 7), (2, 5, 7), (3, 6, 8)"
    };

    private static final String SHARED_POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW public_posts AS SELECT * FROM posts WHERE public = TRUE;
            CREATE VIEW visible_posts AS
              SELECT p.* FROM posts p, share_visibilities s WHERE s.shareable_id = p.id AND s.user_id = ?MyUId;
            CREATE VIEW shared_posts AS
              SELECT p.* FROM posts p, shares s WHERE s.post_id = p.id AND s.user_id = ?MyUId;
            """;

    @ParameterizedTest
    @EnumSource(On.class)
    void aListUnderAnOuterJoinIsReadAsItsAlternatives(On where) throws SQLException {
        on(where, SHARED_POLICY, SHARED);
        Connection connection = connect();
        request(7);
        String seen =
                "SELECT DISTINCT p.id, p.type FROM posts p LEFT JOIN share_visibilities s ON s.shareable_id = p.id"
                        + " WHERE (s.user_id = 7 OR p.public = TRUE) AND ";

        assertThat(rows(connection, seen + "(p.type = 'A' OR p.type = 'B')")).containsExactlyInAnyOrder("1,A", "5,B");
        assertThat(rows(connection, seen + "p.type IN ('A', 'B')")).containsExactlyInAnyOrder("1,A", "5,B");
        assertThat(rows(connection, seen.replace("p.id, p.type", "p.*") + "p.type IN ('A', 'B')"))
                .hasSize(2);
        assertRefused(connection, seen.replace("= 7", "= 8") + "p.type IN ('A', 'B')");
        assertRefused(connection, seen.replace("= TRUE", "= FALSE") + "p.type IN ('A', 'B')");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void howOftenARowMatchedDoesNotShowWhereOneIsLeft(On where) throws SQLException {
        on(where, SHARED_POLICY, SHARED);
        Connection connection = connect();
        request(7);
        String seen = "SELECT p.* FROM posts p JOIN shares s ON s.post_id = p.id WHERE p.id = 5 AND s.user_id = 7";

        assertThat(rows(connection, seen.replace("SELECT", "SELECT DISTINCT"))).hasSize(1);
        assertThat(rows(connection, seen + " ORDER BY p.id LIMIT 1")).hasSize(1);
        assertThat(rows(connection, seen + " LIMIT 1")).hasSize(1);
        assertThat(rows(
                        connection,
                        "SELECT p.id FROM posts p JOIN shares s ON s.post_id = p.id WHERE s.user_id = 7"
                                + " ORDER BY p.id DESC LIMIT 1"))
                .containsExactly("5");
        assertThat(rows(
                        connection,
                        "SELECT id FROM posts WHERE public = TRUE AND id = (SELECT p.id FROM posts p"
                                + " JOIN shares s ON s.post_id = p.id WHERE s.user_id = 7 ORDER BY p.id LIMIT 1)"))
                .isEmpty();
        assertRefused(connection, seen);
        assertRefused(connection, seen + " LIMIT 1 FOR UPDATE");
        assertRefused(connection, seen + " ORDER BY s.id LIMIT 1");
        String first = "SELECT p.text FROM posts p JOIN shares s ON s.post_id = p.id WHERE s.user_id = 7"
                + " ORDER BY p.text LIMIT 1";
        if (where == On.MARIADB) {
            // Texts that it sorts as one may look different.
            assertRefused(connection, first);
        } else {
            assertThat(rows(connection, first)).containsExactly("five");
        }
        assertRefused(connection, seen + " ORDER BY p.id LIMIT 2");
        assertRefused(connection, seen + " ORDER BY p.id LIMIT 1 OFFSET 1");
        assertRefused(connection, seen.replace("= 7", "= 8") + " ORDER BY p.id LIMIT 1");
        assertRefused(
                connection,
                "SELECT p.*, s.id FROM posts p JOIN shares s ON s.post_id = p.id"
                        + " WHERE p.id = 5 AND s.user_id = 7 ORDER BY p.id LIMIT 1");
    }

    private static final String[] COURSES = {
        "CREATE TABLE assistants (id BIGINT PRIMARY KEY, course_id BIGINT NOT NULL, user_id BIGINT NOT NULL)",
        "CREATE TABLE classes (id BIGINT PRIMARY KEY, course_id BIGINT NOT NULL, title VARCHAR(50) NOT NULL)",
        "CREATE TABLE shifts (id BIGINT PRIMARY KEY, assistant_id BIGINT NOT NULL REFERENCES assistants (id),"
                + " class_id BIGINT NOT NULL REFERENCES classes (id))",
        "INSERT INTO assistants VALUES (1, 10, 7), (2, 20, 8)",
        "INSERT INTO classes VALUES (1, 10, 'ten'), (2, 20, 'SECRET')",
        "INSERT INTO shifts VALUES (1, 1, 1), (2, 2, 2)"
    };

    private static final String COURSES_POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW my_work AS SELECT * FROM assistants WHERE user_id = ?MyUId;
            CREATE VIEW my_shifts AS
              SELECT s.* FROM shifts s, assistants a WHERE s.assistant_id = a.id AND a.user_id = ?MyUId;
            CREATE VIEW my_classes AS
              SELECT c.* FROM classes c, assistants a WHERE c.course_id = a.course_id AND a.user_id = ?MyUId;
            """;

    private static final String DENIAL = """
            CREATE ASSERTION same_course AS
              SELECT s.id FROM assistants a, shifts s, classes c
              WHERE a.id = s.assistant_id AND c.id = s.class_id AND a.course_id <> c.course_id IS EMPTY;
            """;

    @ParameterizedTest
    @EnumSource(On.class)
    void whatMayNotDifferIsEqual(On where) throws SQLException {
        on(where, COURSES_POLICY + DENIAL, COURSES);
        Connection connection = connect();
        request(7);
        String seen = "SELECT c.id, c.title FROM classes c, shifts s, assistants a"
                + " WHERE c.id = s.class_id AND s.assistant_id = a.id AND a.user_id = 7 AND s.id = 1";

        assertThat(rows(connection, seen)).containsExactly("1,ten");
        assertRefused(connection, seen.replace("s.id = 1", "s.id = 2").replace("= 7", "= 8"));
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void withoutTheDenialNothingIsKnownToBeEqual(On where) throws SQLException {
        on(where, COURSES_POLICY, COURSES);
        Connection connection = connect();
        request(7);

        assertRefused(
                connection,
                "SELECT c.id, c.title FROM classes c, shifts s, assistants a"
                        + " WHERE c.id = s.class_id AND s.assistant_id = a.id AND a.user_id = 7 AND s.id = 1");
    }
}
