package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckCommandTest extends OnSite {

    private static final String ATTENDANCES = "SELECT * FROM attendances WHERE user_id = 2";
    private static final String TITLE = "SELECT title FROM events WHERE id = 50";

    @Test
    void theSamePolicyDecidesAsBeforeBecauseRowsAreReplayed() throws SQLException {
        try (Connection connection = site.connect("")) {
            assertThat(site.request(connection, 2, TITLE, ATTENDANCES, TITLE, "SELECT text FROM secrets"))
                    .isEqualTo(2);
        }

        Site.Ran ran = check(site.policy.toString());

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .startsWith("4 statements of 1 request, recorded from ")
                .contains("        2  allowed, as before", "        2  refused, as before")
                .contains("        0  allowed before, refused now", "        0  refused before, allowed now");
    }

    @Test
    void whatANarrowerPolicyRefusesIsListed() throws SQLException, IOException {
        try (Connection connection = site.connect("")) {
            site.request(connection, 2, ATTENDANCES, TITLE, "SELECT name FROM users", "SELECT text FROM secrets");
        }
        String narrower = site.file("narrower.sql", """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW user_names AS SELECT id, name FROM users;
                CREATE VIEW my_events AS SELECT e.id, a.user_id FROM events e JOIN attendances a ON e.id = a.event_id
                  WHERE a.user_id = ?MyUId;
                CREATE VIEW secrets AS SELECT * FROM secrets;
                """);

        Site.Ran ran = check(narrower);

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("        2  allowed before, refused now", "        1  refused before, allowed now")
                .containsPattern("Refused now\n +1x  [0-9a-f]{10}  SELECT \\* FROM attendances WHERE user_id = \\?")
                .contains("1 of these after an earlier refusal in the same request")
                .containsPattern("Allowed now\n +1x  [0-9a-f]{10}  SELECT text FROM secrets");
    }

    @Test
    void writesAndRollbacksAreReplayed() throws SQLException {
        String write = "UPDATE attendances SET event_id = 50 WHERE user_id = 2 AND event_id = 50";
        String starts = "SELECT starts FROM events WHERE id = 50";
        try (Connection connection = site.connect("")) {
            connection.setAutoCommit(false);
            try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
                assertThat(ask(connection, ATTENDANCES)).isTrue();
                assertThat(ask(connection, TITLE)).as("attendance is known").isTrue();
                try (var statement = connection.createStatement()) {
                    statement.executeUpdate(write);
                }
                assertThat(ask(connection, starts)).as("the write forgets").isFalse();
                assertThat(ask(connection, ATTENDANCES)).isTrue();
                assertThat(ask(connection, starts)).as("read again").isTrue();
                connection.rollback();
                assertThat(ask(connection, starts)).as("the rollback forgets").isFalse();
                connection.rollback();
            }
        }

        Site.Ran ran = check(site.policy.toString());

        assertThat(ran.out()).contains("        5  allowed, as before\n        2  refused, as before\n");
        assertThat(ran.code()).isZero();
    }

    @Test
    void parametersArraysAndListsAreReplayed() throws SQLException {
        try (Connection connection = site.connect("");
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 3L));
                PreparedStatement one =
                        connection.prepareStatement("SELECT note FROM attendances WHERE user_id = ? AND event_id = ?");
                PreparedStatement many = connection.prepareStatement(
                        "SELECT note FROM attendances WHERE event_id = ? AND user_id IN (?, ?)")) {
            one.setLong(1, 3);
            one.setObject(2, 50);
            assertThat(succeeds(one)).isTrue();
            one.setInt(1, 2);
            assertThat(succeeds(one)).isFalse();
            many.setLong(1, 60);
            many.setLong(2, 3);
            many.setLong(3, 3);
            assertThat(succeeds(many)).isTrue();
            many.setLong(3, 2);
            assertThat(succeeds(many)).isFalse();
        }

        assertThat(check(site.policy.toString()).out())
                .contains("        2  allowed, as before\n        2  refused, as before\n");
    }

    @Test
    void auditedStatementsCountAsRefusedAndTheirRowsServeAPolicyThatShowsThem() throws SQLException, IOException {
        String secret = "SELECT id, text FROM secrets";
        String name = "SELECT email FROM users WHERE id = 1";
        try (Connection connection = site.connect(";privoxyMode=audit")) {
            assertThat(site.request(connection, 2, secret, name)).isZero();
        }
        String wider = site.file("wider.sql", Site.POLICY + """
                CREATE VIEW secrets AS SELECT * FROM secrets;
                CREATE VIEW emails AS SELECT u.*, s.* FROM users u JOIN secrets s ON s.id = u.id;
                """);

        assertThat(check(site.policy.toString()).out()).contains("        2  refused, as before");
        assertThat(check(wider).out()).contains("        2  refused before, allowed now");
    }

    @Test
    void aBrokenLineIsToldWithItsPlaceAndACutOffEndIsPassedOver() throws SQLException, IOException {
        try (Connection connection = site.connect("")) {
            site.request(connection, 2, ATTENDANCES);
        }
        site.flush();
        long lines = Files.readAllLines(site.recording).size();
        Files.writeString(site.recording, "{\"privoxy\":\"sta", StandardOpenOption.APPEND);
        Site.Ran cutOff = check(site.policy.toString());
        Files.writeString(site.recording, "\n{}\n", StandardOpenOption.APPEND);
        Site.Ran broken = check(site.policy.toString());

        assertThat(cutOff.code()).isZero();
        assertThat(cutOff.out()).contains("the last line is cut off and was passed over");
        assertThat(broken.code()).isEqualTo(2);
        assertThat(broken.err())
                .contains("traffic.jsonl:" + (lines + 1) + ": ")
                .contains("this is no line that privoxyRecord wrote");
    }

    @Test
    void recordingsThatCannotBeReadAreTold() {
        assertThat(site.live("check", "--policy", site.policy.toString()).err()).contains("name the recordings");
        assertThat(site.live("check", "--policy", site.policy.toString(), "nowhere.jsonl")
                        .err())
                .contains("cannot read nowhere.jsonl: there is no such file");
    }

    private Site.Ran check(String policy) {
        site.flush();
        return site.live("check", "--policy", policy, site.recording.toString());
    }

    private static boolean ask(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return succeeds(statement);
        }
    }

    private static boolean succeeds(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                rows.getObject(1);
            }
            return true;
        } catch (SQLException refusal) {
            assertThat(refusal.getMessage()).contains("PRIVOXY-");
            return false;
        }
    }
}
