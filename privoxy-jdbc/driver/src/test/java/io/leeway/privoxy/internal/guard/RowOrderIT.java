package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of rows tells nothing of columns that are not shown: the third attacker's G3 and its relatives. */
class RowOrderIT extends Cases {

    private static final String[] ROWS = {
        "UPDATE users SET email = 'c@x' WHERE id = 1", "UPDATE users SET email = 'z@x' WHERE id = 2",
        "UPDATE users SET email = 'a@x' WHERE id = 3", "CREATE INDEX salaries ON users (salary)",
    };

    @Test
    void theOrderOfAHiddenIndexIsNotThatOfTheRows() throws SQLException {
        for (On where : On.values()) {
            on(where);
            elsewhere(ROWS);
            Connection connection = connect();
            request(1);
            for (String sql : List.of(
                    "SELECT id FROM users",
                    "SELECT u.id FROM users u",
                    "SELECT \"U\".id FROM users \"U\"".replace("\"", where == On.MARIADB ? "`" : "\""),
                    "SELECT id FROM users WHERE id < 10",
                    "SELECT id FROM users -- nothing behind",
                    "SELECT id FROM users /* nothing */ ;",
                    "SELECT id FROM users LIMIT 3",
                    "SELECT id FROM users LIMIT 3 OFFSET 0",
                    "SELECT DISTINCT id FROM users",
                    "SELECT id FROM users GROUP BY id",
                    "SELECT id FROM users UNION SELECT id FROM users",
                    "SELECT id FROM (SELECT id, name FROM users) q",
                    "WITH q AS (SELECT id, name FROM users) SELECT id FROM q",
                    "SELECT id FROM users WHERE id IN (1, 2, 3)",
                    "SELECT id FROM users WHERE id = 1 OR id = 2 OR id = 3",
                    "SELECT u.id FROM users u WHERE salary IN (SELECT salary FROM users)",
                    "SELECT u.id FROM users u WHERE EXISTS (SELECT 1 FROM users v WHERE v.salary = u.salary)",
                    "SELECT id FROM users FOR UPDATE",
                    "SELECT id FROM users LIMIT 3 FOR UPDATE",
                    "SELECT id FROM users u ORDER BY 1 * 0")) {
                assertThat(rows(connection, sql)).as("%s %s", where, sql).containsExactly("1", "2", "3");
            }
            assertThat(rows(connection, "SELECT id FROM users LIMIT 1")).containsExactly("1");
            assertThat(rows(connection, "SELECT id FROM users ORDER BY 1 DESC")).containsExactly("3", "2", "1");
            assertThat(rows(connection, "SELECT id, name FROM users ORDER BY name DESC"))
                    .containsExactly("3,Cy", "2,Bob", "1,Ada");
            assertThat(rows(connection, "SELECT u.id, v.id FROM users u JOIN users v ON v.id <= u.id"))
                    .containsExactly("1,1", "2,1", "2,2", "3,1", "3,2", "3,3");
            assertThat(rows(connection, "SELECT * FROM (SELECT id FROM users LIMIT 1) q"))
                    .containsExactly("1");
            assertThat(rows(connection, "SELECT (SELECT v.id FROM users v WHERE v.id >= u.id LIMIT 1) FROM users u"))
                    .containsExactly("1", "2", "3");
        }
    }

    /** In a group by a column its values are alike; in the one of all groups they are in the order of a hidden index. */
    @Test
    void groupsOfGroupsHaveNothingInCommon() throws SQLException {
        on(On.POSTGRESQL);
        elsewhere(ROWS);
        Connection connection = connect();
        request(1);
        assertThat(rows(connection, "SELECT id, string_agg(name, ',') FROM users GROUP BY id, name"))
                .containsExactly("1,Ada", "2,Bob", "3,Cy");
        for (String groups : List.of("ROLLUP (name)", "CUBE (name)", "GROUPING SETS (name, ())")) {
            assertRefused(connection, "SELECT name, string_agg(name, ',') FROM users GROUP BY " + groups);
        }
        assertThat(rows(
                        connection,
                        "SELECT name, string_agg(name, ',' ORDER BY name) FROM users GROUP BY ROLLUP (name)"))
                .containsExactly("Ada,Ada", "Bob,Bob", "Cy,Cy", "null,Ada,Bob,Cy");
    }

    @Test
    void rowsThatTheAnswerTellsWhollyAreLeftInTheDatabasesOrder() throws SQLException {
        on(On.H2);
        elsewhere("DELETE FROM notes", "INSERT INTO notes VALUES (2, 1, 'x'), (1, 1, 'y')");
        Connection connection = connect();
        request(1);
        assertThat(rows(connection, "SELECT * FROM notes WHERE text IN ('x', 'y')"))
                .hasSize(2);
        try (PreparedStatement plain = connection.prepareStatement("SELECT id, author, text FROM notes")) {
            assertThat(plain.toString()).doesNotContain("ORDER");
        }
        try (PreparedStatement sorted = connection.prepareStatement("SELECT id FROM users")) {
            assertThat(sorted.toString()).contains("ORDER BY");
        }
        try (PreparedStatement single = connection.prepareStatement("SELECT name FROM users WHERE id = ?")) {
            assertThat(single.toString()).doesNotContain("ORDER");
        }
        try (PreparedStatement asked = connection.prepareStatement("SELECT name FROM users ORDER BY name, id")) {
            assertThat(asked.toString()).doesNotContain(", \"USERS\"");
        }
    }

    @Test
    void whatIsCollectedInNoOrderIsRefused() throws SQLException {
        for (On where : On.values()) {
            on(where);
            elsewhere(ROWS);
            Connection connection = connect();
            request(1);
            String list = switch (where) {
                case MARIADB -> "GROUP_CONCAT(%s%s)";
                case POSTGRESQL -> "array_agg(%s%s)";
                case H2 -> "ARRAY_AGG(%s%s)";
            };
            assertRefused(connection, "SELECT " + list.formatted("id", "") + " FROM users");
            assertRefused(connection, "SELECT " + list.formatted("id", " ORDER BY 1 * 0") + " FROM users");
            assertThat(rows(connection, "SELECT " + list.formatted("id", " ORDER BY id") + " FROM users"))
                    .hasSize(1);
            assertThat(rows(connection, "SELECT " + list.formatted("name", " ORDER BY id DESC") + " FROM users"))
                    .hasSize(1);
            for (String call : List.of(
                    "ROW_NUMBER() OVER ()",
                    "ROW_NUMBER() OVER (ORDER BY name)",
                    "LAG(id) OVER (ORDER BY 1 * 0)",
                    "FIRST_VALUE(id) OVER (ORDER BY name)")) {
                assertRefused(connection, "SELECT " + call + " FROM users");
            }
            assertThat(rows(connection, "SELECT ROW_NUMBER() OVER (ORDER BY name, id) FROM users"))
                    .containsExactly("1", "2", "3");
            assertThat(rows(connection, "SELECT COUNT(*) OVER () FROM users")).containsExactly("3", "3", "3");
            assertThat(rows(connection, "SELECT COUNT(*), MAX(name) FROM users"))
                    .containsExactly("3,Cy");
        }
    }

    @Test
    void theFirstOfSomeRowsIsNotAnyOne() throws SQLException {
        on(On.POSTGRESQL);
        elsewhere(ROWS);
        Connection postgres = connect();
        request(1);
        assertRefused(postgres, "SELECT DISTINCT ON (name) id FROM users");
        assertThat(rows(postgres, "SELECT DISTINCT ON (name) id FROM users ORDER BY name"))
                .containsExactly("1", "2", "3");
        assertRefused(postgres, "SELECT any_value(id) FROM users");
        assertRefused(postgres, "SELECT id FROM users ORDER BY length(name) FETCH FIRST 1 ROW WITH TIES");
        assertThat(rows(postgres, "SELECT id FROM users ORDER BY id FETCH FIRST 1 ROW WITH TIES"))
                .containsExactly("1");

        on(On.MARIADB);
        elsewhere(ROWS);
        Connection maria = connect();
        request(1);
        assertRefused(maria, "SELECT id FROM users GROUP BY name");
        assertRefused(maria, "SELECT id, COUNT(*) FROM users");
        assertThat(rows(maria, "SELECT name, COUNT(*) FROM users GROUP BY id"))
                .containsExactly("Ada,1", "Bob,1", "Cy,1");
        assertRefusedWrite(maria, "UPDATE users SET name = 'x' LIMIT 1");
        assertRefusedWrite(maria, "DELETE FROM users LIMIT 1");
        run(maria, "UPDATE users SET name = 'x' ORDER BY id LIMIT 1");
        assertThat(seenElsewhere("SELECT id FROM users WHERE name = 'x'")).containsExactly("1");
    }

    @Test
    void rowsAreCopiedInOrder() throws SQLException {
        for (On where : On.values()) {
            on(where, POLICY + "CREATE VIEW all_copies AS SELECT * FROM copies;");
            elsewhere(ROWS);
            elsewhere(
                    where == On.MARIADB
                            ? "CREATE TABLE copies (n INT AUTO_INCREMENT PRIMARY KEY, id INT)"
                            : "CREATE TABLE copies (n INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, id INT)");
            Connection connection = connect();
            request(1);
            run(connection, "INSERT INTO copies(id) SELECT id FROM users");
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("INSERT INTO copies(id) SELECT id FROM users", Statement.RETURN_GENERATED_KEYS);
            }
            try (Statement statement = connection.createStatement()) {
                statement.addBatch("INSERT INTO copies(id) SELECT id FROM users");
                statement.executeBatch();
            }
            assertThat(rows(connection, "SELECT id FROM copies ORDER BY n"))
                    .as("%s", where)
                    .containsExactly("1", "2", "3", "1", "2", "3", "1", "2", "3");
        }
    }

    @Test
    void hintsAndSettingsThatChooseAPlanAreRefused() throws SQLException {
        on(On.MARIADB);
        Connection maria = connect();
        request(1);
        for (String hint :
                List.of("FORCE INDEX (email)", "USE INDEX (email)", "IGNORE INDEX (PRIMARY)", "USE KEY ()")) {
            assertRefused(maria, "SELECT id FROM users " + hint);
        }
        assertRefused(maria, "SELECT /*+ JOIN_ORDER(users) */ id FROM users");
        assertRefusedWrite(maria, "SET optimizer_switch = 'mrr=on'");

        on(On.H2);
        Connection h2 = connect();
        request(1);
        assertRefused(h2, "SELECT id FROM users USE INDEX (x)");

        on(On.POSTGRESQL);
        Connection postgres = connect();
        request(1);
        for (String setting : List.of(
                "enable_hashjoin = off",
                "enable_seqscan = off",
                "random_page_cost = 1",
                "work_mem = '64kB'",
                "plan_cache_mode = force_generic_plan",
                "geqo = off")) {
            assertRefusedWrite(postgres, "SET " + setting);
        }
        run(postgres, "SET statement_timeout = '10s'");
    }

    @Test
    void cursorsAndChangesThroughAResultStayWhatTheyAre() throws SQLException {
        for (On where : On.values()) {
            on(where);
            elsewhere(ROWS);
            Connection connection = connect();
            request(1);
            try (Statement statement =
                            connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                    ResultSet result = statement.executeQuery("SELECT id, name FROM users")) {
                assertThat(result.last()).isTrue();
                assertThat(result.getInt(1)).isEqualTo(3);
                assertThat(result.first()).isTrue();
                result.updateString("name", "New");
                result.updateRow();
            }
            assertThat(seenElsewhere("SELECT name FROM users WHERE id = 1")).containsExactly("New");
            connection.setAutoCommit(false);
            try (PreparedStatement query = connection.prepareStatement("SELECT id FROM users WHERE id > ?")) {
                query.setFetchSize(1);
                for (int least = 0; least < 3; least++) {
                    query.setInt(1, least);
                    try (ResultSet result = query.executeQuery()) {
                        assertThat(result.next()).isTrue();
                        assertThat(result.getInt(1)).isEqualTo(least + 1);
                    }
                }
            }
            connection.rollback();
        }
    }

    @Test
    void aStatementThatWasPreparedForAnotherOrderIsToBePreparedAgain() throws SQLException {
        on(On.POSTGRESQL);
        elsewhere(ROWS);
        Connection connection = connect();
        request(1);
        try (PreparedStatement query = connection.prepareStatement("SELECT id FROM users WHERE id IN (1, 2, 3)")) {
            query.executeQuery().close();
            run(connection, "CREATE INDEX other ON notes (author)");
            try (ResultSet result = query.executeQuery()) {
                assertThat(result.next()).isTrue();
                assertThat(result.getInt(1)).isEqualTo(1);
            }
        }
    }

    private List<String> seenElsewhere(String sql) throws SQLException {
        try (Connection plain = database.plain()) {
            return rows(plain, sql);
        }
    }
}
