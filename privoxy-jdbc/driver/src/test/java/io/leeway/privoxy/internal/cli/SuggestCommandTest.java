package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SuggestCommandTest extends OnSite {

    private static final String ATTENDANCES = "SELECT * FROM attendances WHERE user_id = ";

    @Test
    void whatIsEqualToTheContextBecomesTheParameter() throws SQLException, IOException {
        Site.Ran ran = suggestFor(2, "SELECT email FROM users WHERE id = 2");

        assertThat(ran.out())
                .contains("CREATE VIEW suggested_1_users AS\n  SELECT u.email\n  FROM users u\n  WHERE u.id = ?MyUId;");
        assertAnswersEverything(ran);
        assertThat(refusedFor(3, "SELECT email FROM users WHERE id = 3")).isZero();
        assertThat(refusedFor(3, "SELECT email FROM users WHERE id = 2")).isOne();
    }

    @Test
    void whatAnEarlierRowShowedBecomesAJoin() throws SQLException, IOException {
        site.plainly("CREATE TABLE rooms (id BIGINT PRIMARY KEY, event_id BIGINT NOT NULL REFERENCES events (id),"
                + " name VARCHAR(20))");
        site.plainly("INSERT INTO rooms VALUES (7, 50, 'Blue'), (8, 60, 'Red')");

        Site.Ran ran = suggestFor(2, ATTENDANCES + 2, "SELECT name FROM rooms WHERE event_id = 50");

        assertThat(ran.out())
                .contains("FROM rooms r, attendances a")
                .contains("r.event_id = a.event_id")
                .contains("a.user_id = ?MyUId")
                .contains("1 view suggested");
        assertAnswersEverything(ran);
        assertThat(refusedFor(3, ATTENDANCES + 3, "SELECT name FROM rooms WHERE event_id = 60"))
                .isZero();
        assertThat(refusedFor(2, ATTENDANCES + 2, "SELECT name FROM rooms WHERE event_id = 60"))
                .as("an event that user 2 does not attend")
                .isOne();
    }

    @Test
    void otherValuesBecomeColumns() throws SQLException, IOException {
        Site.Ran ran = suggestFor(2, "SELECT text FROM secrets WHERE id = 1", "SELECT text FROM secrets WHERE id = 5");

        assertThat(ran.out())
                .contains("1 view suggested", "-- It shows the same to everybody.", "SELECT s.*\n  FROM secrets s;");
        assertAnswersEverything(ran);
    }

    @Test
    void constantsThatNameNoRowsStay() throws SQLException, IOException {
        Site.Ran ran = suggestFor(2, "SELECT id FROM secrets WHERE text = 'it''s public'");

        assertThat(ran.out()).contains("WHERE s.\"TEXT\" = 'it''s public';".replace("\"TEXT\"", "text"));
        assertAnswersEverything(ran);
    }

    @Test
    void aNarrowViewThatALaterOneCoversIsDropped() throws SQLException, IOException {
        Site.Ran ran = suggestFor(2, "SELECT email FROM users WHERE id = 2", "SELECT id, email FROM users");

        assertThat(ran.out()).contains("1 view suggested").doesNotContain("?MyUId");
        assertAnswersEverything(ran);
    }

    @Test
    void countsAndExistenceAreCovered() throws SQLException, IOException {
        Site.Ran ran = suggestFor(
                2,
                "SELECT COUNT(*) FROM secrets",
                "SELECT name FROM users u WHERE EXISTS (SELECT 1 FROM attendances a WHERE a.user_id = u.id)");

        assertAnswersEverything(ran);
    }

    @Test
    void whatCannotBeCoveredIsListedWithItsReason() throws SQLException, IOException {
        Site.Ran ran = suggestFor(2, "SELECT MEMORY_USED() FROM users", "SELECT name FROM users");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("0 views suggested")
                .containsPattern(
                        "(?s)-- Still refused:\n--   [0-9a-f]{10}: SELECT MEMORY_USED.*not supported|Not supported");
    }

    /** Records a request in audit mode and asks for suggestions. */
    private Site.Ran suggestFor(long user, String... statements) throws SQLException {
        try (Connection connection = site.connect(";privoxyMode=audit")) {
            assertThat(site.request(connection, user, statements)).isZero();
        }
        site.flush();
        return site.live("suggest", "--policy", site.policy.toString(), site.recording.toString());
    }

    /** Adds the suggestions to the policy: then nothing recorded is refused, as another command says too. */
    private void assertAnswersEverything(Site.Ran ran) throws IOException {
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).doesNotContain("Still refused");
        assertThat(ran.code()).isZero();
        Files.writeString(site.policy, Site.POLICY + ran.out());
        Site.Ran check = site.live("check", "--policy", site.policy.toString(), site.recording.toString());
        assertThat(check.out()).contains("        0  refused, as before", "        0  allowed before, refused now");
        assertThat(site.live("lint", site.policy.toString()).out()).contains("0 errors");
    }

    /** How many statements the real driver refuses with the policy as it is now. */
    private int refusedFor(long user, String... statements) throws SQLException {
        try (Connection connection = site.connect(";privoxyEffort=50000")) {
            return site.request(connection, user, statements);
        }
    }
}
