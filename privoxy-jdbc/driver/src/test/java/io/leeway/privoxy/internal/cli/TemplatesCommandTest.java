package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemplatesCommandTest {

    private static final String ATTENDANCES = "SELECT * FROM attendances WHERE user_id = ";
    private static final String TITLE = "SELECT title FROM events WHERE id = 50";

    @TempDir
    private Path folder;

    private Site site;
    private String templates;
    private String privateKey;
    private String publicKey;

    @BeforeEach
    void open() throws SQLException, IOException {
        site = new Site(folder);
        templates = folder.resolve("templates.txt").toString();
        privateKey = folder.resolve("officer.key").toString();
        publicKey = folder.resolve("officer.pub").toString();
        try (Connection connection = site.connect("")) {
            site.request(connection, 2, ATTENDANCES + 2, TITLE);
        }
        site.flush();
    }

    @AfterEach
    void close() throws SQLException {
        site.close();
    }

    @Test
    void learntReviewedAndSignedTemplatesAreAllThatADriverNeeds() throws SQLException, IOException {
        Site.Ran learn = templates("learn", "--output", templates, site.recording.toString());
        assertThat(learn.err()).isEmpty();
        assertThat(learn.outIn(folder)).isEqualTo("templates.txt: 2 templates\n");
        assertThat(templates("list", templates).out()).contains("ATTENDANCES", "EVENTS", "2 templates, 0 signatures");
        assertThat(keygen().out()).contains("keep it secret");
        assertThat(verify().code()).as("not signed yet").isEqualTo(1);

        Site.Ran sign = sign();

        assertThat(sign.code()).isZero();
        assertThat(sign.outIn(folder)).startsWith("templates.txt is signed with key #");
        Site.Ran verify = verify();
        assertThat(verify.code()).isZero();
        assertThat(verify.out()).contains("2 of 2 templates hold", "signed with ");
        String reviewed =
                ";privoxyTemplateUse=reviewed;privoxyTemplates=" + templates + ";privoxyTemplateKey=" + publicKey;
        try (Connection connection = site.connect(reviewed)) {
            assertThat(site.request(connection, 3, ATTENDANCES + 3, TITLE))
                    .as("the same pages of another user")
                    .isZero();
            assertThat(site.request(connection, 3, "SELECT note FROM attendances WHERE user_id = 3"))
                    .as("compliant, but not reviewed")
                    .isOne();
        }
    }

    @Test
    void aChangedFileIsNoLongerSigned() throws IOException {
        templates("learn", "--output", templates, site.recording.toString());
        keygen();
        sign();
        Path file = Path.of(templates);
        Files.writeString(file, Files.readString(file).replaceFirst("(?s)template #\\w+", "template"));

        Site.Ran verify = verify();

        assertThat(verify.code()).isEqualTo(1);
        assertThat(verify.out()).contains("not signed with");
    }

    @Test
    void aTemplateThatThePolicyDoesNotCarryIsNamed() throws IOException {
        templates("learn", "--output", templates, site.recording.toString());
        Files.writeString(site.policy, """
                CREATE VIEW user_names AS SELECT id, name FROM users;
                """);

        Site.Ran verify = templates("verify", templates);

        assertThat(verify.code()).isEqualTo(1);
        assertThat(verify.out())
                .containsPattern("templates.txt:\\d+: template #[0-9a-f]+ does not hold under this policy and schema")
                .contains("0 of 2 templates hold");
    }

    @Test
    void keysAreNotWrittenOver() throws IOException {
        assertThat(keygen().code()).isZero();
        String key = Files.readString(Path.of(privateKey));

        Site.Ran again = keygen();

        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err()).contains("is there already");
        assertThat(Path.of(privateKey)).hasContent(key);
        assertThat(Files.getPosixFilePermissions(Path.of(privateKey))).hasSize(2);
    }

    @Test
    void mistakesAreToldInWords() throws IOException {
        templates("learn", "--output", templates, site.recording.toString());
        keygen();
        String other = folder.resolve("other.pub").toString();
        site.run(
                "templates",
                "keygen",
                "--private-key",
                folder.resolve("other.key").toString(),
                "--public-key",
                other);
        String broken = site.file("broken.txt", "privoxy templates format 1\npolicy 5\n");

        assertThat(site.run("templates").err()).contains("say what to do: learn, list, verify, sign or keygen");
        assertThat(site.run("templates", "keygen").err()).contains("--private-key is needed");
        assertThat(templates("list").err()).contains("name one template file");
        assertThat(templates("list", broken).err()).contains("broken.txt: ").contains("line 2");
        assertThat(templates("sign", "--private-key", privateKey, "--public-key", other, templates)
                        .err())
                .contains("the two keys are not one pair");
        assertThat(templates("sign", "--private-key", publicKey, "--public-key", publicKey, templates)
                        .err())
                .contains("officer.pub: not an Ed25519 private key");
        assertThat(templates("list", templates).out()).contains("0 signatures");
    }

    private Site.Ran keygen() {
        return site.run("templates", "keygen", "--private-key", privateKey, "--public-key", publicKey);
    }

    private Site.Ran sign() {
        return templates("sign", "--private-key", privateKey, "--public-key", publicKey, templates);
    }

    private Site.Ran verify() {
        return templates("verify", "--public-key", publicKey, templates);
    }

    private Site.Ran templates(String... words) {
        List<String> all = new ArrayList<>(List.of("--policy", site.policy.toString()));
        all.addAll(List.of(words));
        return site.live("templates", all.toArray(String[]::new));
    }
}
