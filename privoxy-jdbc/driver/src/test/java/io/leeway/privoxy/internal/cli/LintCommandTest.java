package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class LintCommandTest extends OnSite {

    @Test
    void aGoodPolicyHasNoErrors() {
        Site.Ran ran = site.live("lint", site.policy.toString());

        assertThat(ran.code()).isZero();
        assertThat(ran.outIn(folder))
                .contains("policy.sql:4:13: note: no view mentions these columns of PUBLIC.USERS: EMAIL")
                .contains("no view shows anything of PUBLIC.SECRETS")
                .endsWith("0 errors, 0 warnings, 2 notes\n");
    }

    @Test
    void errorsHaveLineColumnAndRemedy() throws IOException {
        String policy = site.file(
                "bad.sql",
                "CREATE VIEW a AS\n  SELECT id FROM userz;\nCREATE VIEW b AS SELECT id FROM users\n WHERE id = ?Me;\n");

        Site.Ran ran = site.live("lint", policy);

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.outIn(folder))
                .containsPattern("bad.sql:2:18: warning: .*USERZ, which does not exist, did you mean USERS")
                .contains("bad.sql:4:13: error: the context parameter ?Me is not declared")
                .contains("CREATE CONTEXT Me BIGINT;")
                .contains("1 error, 1 warning");
    }

    @Test
    void theChaseFindsViewsThatOthersCover() throws IOException {
        String policy = site.file("policy.sql", Site.POLICY + """
                CREATE VIEW my_titles AS
                  SELECT e.id, e.title FROM events e JOIN attendances a ON e.id = a.event_id WHERE a.user_id = ?MyUId;
                CREATE VIEW never AS SELECT id FROM events WHERE id = 1 AND id = 2;
                CREATE VIEW all_secrets AS SELECT * FROM secrets;
                """);

        Site.Ran ran = site.live("lint", policy);

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("the view my_titles shows nothing that the others do not show")
                .contains("the view shows all of PUBLIC.SECRETS to everybody")
                .containsPattern("warning: .*never true");
        assertThat(site.live("lint", "--strict", "--quiet", policy).code()).isEqualTo(1);
        assertThat(site.live("lint", "--quiet", policy).out()).doesNotContain("note:");
    }

    @Test
    void aTableWithoutKeyIsWarnedOf() throws IOException, SQLException {
        site.plainly("CREATE TABLE visits (user_id BIGINT, page VARCHAR(20))");
        String policy = site.file("visits.sql", "CREATE VIEW visits AS SELECT page FROM visits;");

        assertThat(site.live("lint", policy).out()).contains("warning: PUBLIC.VISITS has no key");
    }

    @Test
    void worksOnASchemaTextAsOnTheDatabase() {
        String schema = folder.resolve("schema.txt").toString();
        assertThat(site.live("schema", "--output", schema).code()).isZero();

        Site.Ran offline = site.run("lint", "--schema", schema, site.policy.toString());

        assertThat(offline).isEqualTo(site.live("lint", site.policy.toString()));
    }

    @Test
    void aViewOfATableThatIsNotThereIsNoErrorButFound() throws IOException {
        String policy = site.file("bad.sql", "CREATE VIEW a AS SELECT id FROM userz;\n");

        Site.Ran ran = site.live("lint", policy);

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.outIn(folder))
                .contains("bad.sql:1:33: warning: ")
                .contains("until then the statement has no effect");
    }

    @Test
    void anUnreadablePolicyIsNoFinding() {
        Site.Ran ran = site.live("lint", folder.resolve("nowhere.sql").toString());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("nowhere.sql");
    }
}
