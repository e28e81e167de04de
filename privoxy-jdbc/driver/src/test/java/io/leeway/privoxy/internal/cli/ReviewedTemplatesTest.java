package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.testkit.LogCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The production mode that runs on reviewed templates only, from the recording to the driver. */
class ReviewedTemplatesTest {

    private static final String ATTENDANCES = "SELECT * FROM attendances WHERE user_id = ";
    private static final String TITLE = "SELECT title FROM events WHERE id = 50";
    private static final String NOTE = "SELECT note FROM attendances WHERE user_id = ";

    @TempDir
    private Path folder;

    private Site site;
    private Path templates;

    @BeforeEach
    void learnAndSign() throws SQLException, IOException {
        site = new Site(folder);
        templates = folder.resolve("templates.txt");
        try (Connection connection = site.connect("")) {
            site.request(connection, 2, ATTENDANCES + 2, TITLE);
        }
        site.flush();
        assertThat(templates("learn", "--output", templates.toString(), site.recording.toString())
                        .err())
                .isEmpty();
        keys("officer");
    }

    @AfterEach
    void close() throws SQLException {
        site.close();
    }

    @Test
    void onlyWhatIsReviewedPassesAndNothingIsLearnt() throws SQLException {
        sign("officer");
        try (Connection connection = site.connect(reviewed("officer"))) {
            for (int i = 0; i < 2; i++) {
                assertThat(site.request(connection, 3, ATTENDANCES + 3, TITLE))
                        .as("another user's page, reviewed")
                        .isZero();
                assertThat(site.request(connection, 3, NOTE + 3))
                        .as("compliant, but not reviewed")
                        .isOne();
                assertThat(site.request(connection, 3, TITLE))
                        .as("reviewed, but its premise is missing")
                        .isOne();
                assertThat(site.request(connection, 3, ATTENDANCES + 2))
                        .as("somebody else's")
                        .isOne();
                assertThat(site.request(connection, 3, "SELECT id, name FROM users"))
                        .as("shown without any condition")
                        .isZero();
            }
        }
        try (Connection learning = site.connect(";privoxyTemplateUse=learn")) {
            assertThat(site.request(learning, 3, NOTE + 3))
                    .as("compliant indeed")
                    .isZero();
        }
    }

    @Test
    void aRefusalSaysThatNoReviewedTemplateCoversIt() throws SQLException {
        sign("officer");
        try (Connection connection = site.connect(reviewed("officer"));
                var statement = connection.createStatement()) {
            statement.execute("SET privoxy.MyUId = 3");

            assertThatThrownBy(() -> statement.executeQuery(NOTE + 3))
                    .hasMessageContaining("No reviewed template covers")
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
        }
    }

    @Test
    void anUnsignedFileIsRefusedAtConnect() {
        assertRefused(reviewed("officer"), "is not signed with the key");
    }

    @Test
    void aFileThatSomebodyElseSignedIsRefusedAtConnect() {
        keys("intruder");
        sign("intruder");

        assertRefused(reviewed("officer"), "is not signed with the key");
    }

    @Test
    void aFileThatWasChangedAfterItWasSignedIsRefusedAtConnect() throws IOException {
        sign("officer");
        String text = Files.readString(templates);
        String more = text.replaceFirst("(?s)\n  value '....", "\n  value 'AAAA");
        assertThat(more).isNotEqualTo(text);
        Files.writeString(templates, more);

        assertRefused(reviewed("officer"), "is not signed with the key");
    }

    @Test
    void aKeyOrAFileThatCannotBeReadIsRefusedAtConnect() throws IOException {
        sign("officer");
        assertRefused(
                reviewed("officer").replace("officer.pub", "officer.key"),
                "not an Ed25519 public key",
                "BEGIN PUBLIC KEY");
        assertRefused(reviewed("officer").replace("officer.pub", "nobody.pub"), "nobody.pub");
        Files.writeString(templates, "privoxy templates format 1\npolicy 5\n");
        assertRefused(reviewed("officer"), "line 2");
    }

    @Test
    void underAnotherPolicyNothingIsBelieved() throws IOException {
        sign("officer");
        Files.writeString(site.policy, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW user_names AS SELECT id, name FROM users;
                """);

        assertRefused(reviewed("officer"), "no template of", "holds under the present policy and schema");
    }

    @Test
    void underAnotherPolicyWhatStillHoldsIsUsedAndTheRestIsWarnedOf() throws IOException, SQLException {
        sign("officer");
        Files.writeString(site.policy, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW my_attendances AS SELECT * FROM attendances WHERE user_id = ?MyUId;
                """);

        try (LogCapture log = LogCapture.of("io.leeway.privoxy");
                Connection connection = site.connect(reviewed("officer"))) {
            assertThat(log.messages(Level.WARNING))
                    .singleElement()
                    .asString()
                    .containsPattern("templates.txt:\\d+: template #\\w+ does not hold");
            assertThat(site.request(connection, 3, ATTENDANCES + 3)).isZero();
            assertThat(site.request(connection, 3, ATTENDANCES + 3, TITLE)).isOne();
        }
    }

    @Test
    void underASchemaWithoutTheKeyThatTheProofNeedsNothingIsBelieved() throws IOException, SQLException {
        String nameAndMail = "SELECT name, email FROM users WHERE id = 2";
        site.close();
        site = new Site(Files.createDirectory(folder.resolve("second")));
        Files.writeString(site.policy, """
                CREATE VIEW user_names AS SELECT id, name FROM users;
                CREATE VIEW user_mails AS SELECT id, email FROM users;
                """);
        try (Connection connection = site.connect("")) {
            assertThat(site.request(connection, 2, nameAndMail)).isZero();
        }
        site.flush();
        templates("learn", "--output", templates.toString(), site.recording.toString());
        sign("officer");
        try (Connection connection = site.connect(reviewed("officer"))) {
            assertThat(site.request(connection, 2, nameAndMail)).isZero();
        }

        try (Connection connection = site.connect("")) {
            assertThat(site.request(
                            connection, 2, "DROP TABLE attendances", "ALTER TABLE users DROP PRIMARY KEY", nameAndMail))
                    .as("which mail belongs to which name is shown no longer")
                    .isOne();
        }
        // Another option makes another guard, as a start of the application would.
        assertRefused(reviewed("officer") + ";privoxyEffort=99999", "no template of");
    }

    @Test
    void aPolicyThatIsTakenBackLaterTakesItsTemplatesAlong() throws IOException, SQLException {
        sign("officer");
        try (Connection connection = site.connect(reviewed("officer") + ";privoxyReload=1ms")) {
            assertThat(site.request(connection, 3, ATTENDANCES + 3, TITLE)).isZero();

            Files.writeString(site.policy, """
                    CREATE CONTEXT MyUId BIGINT;
                    CREATE VIEW user_names AS SELECT id, name FROM users;
                    -- and nothing else any more
                    """);

            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(site.request(connection, 3, ATTENDANCES + 3, TITLE))
                            .isEqualTo(2));
        }
    }

    private void assertRefused(String options, String... words) {
        assertThatThrownBy(() -> site.connect(options).close()).isInstanceOfSatisfying(SQLException.class, refused -> {
            assertThat(refused.getSQLState()).isEqualTo("08001");
            assertThat(refused.getErrorCode()).isEqualTo(1006);
            assertThat(refused.getMessage()).contains("The template file cannot be used");
            assertThat(words).anyMatch(refused.getMessage()::contains);
        });
    }

    private String reviewed(String key) {
        return ";privoxyTemplateUse=reviewed;privoxyTemplates=" + templates + ";privoxyTemplateKey="
                + folder.resolve(key + ".pub");
    }

    private void keys(String name) {
        assertThat(templates("keygen", "--private-key", file(name, "key"), "--public-key", file(name, "pub"))
                        .code())
                .isZero();
    }

    private void sign(String name) {
        assertThat(templates(
                                "sign",
                                "--private-key",
                                file(name, "key"),
                                "--public-key",
                                file(name, "pub"),
                                templates.toString())
                        .code())
                .isZero();
    }

    private String file(String name, String suffix) {
        return folder.resolve(name + "." + suffix).toString();
    }

    private Site.Ran templates(String... words) {
        List<String> all = new ArrayList<>(List.of("--policy", site.policy.toString()));
        all.addAll(List.of(words));
        return site.live("templates", all.toArray(String[]::new));
    }
}
