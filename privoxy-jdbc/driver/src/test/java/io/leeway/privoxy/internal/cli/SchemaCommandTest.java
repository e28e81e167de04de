package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.schema.SchemaTextReader;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SchemaCommandTest extends OnSite {

    @Test
    void writesTheNamedTablesAndNoData() {
        Site.Ran ran = site.live("schema", "users", "PUBLIC.attendances");

        assertThat(ran.code()).isZero();
        assertThat(SchemaTextReader.read(ran.out()).schema().tables())
                .containsOnlyKeys("PUBLIC.USERS", "PUBLIC.ATTENDANCES");
        assertThat(ran.out()).contains("column NAME TEXT").doesNotContain("Ada");
    }

    @Test
    void aNameWithADotIsFoundInQuotes() throws SQLException {
        site.plainly("CREATE TABLE \"odd.name\" (id BIGINT PRIMARY KEY)");

        assertThat(site.live("schema", "\"odd.name\"").code()).isZero();
        assertThat(site.live("schema").out()).contains("odd.name");
    }

    @Test
    void tablesThatAreNotThereAreNamed() {
        Site.Ran ran = site.live("schema", "users", "nobody", "nothing");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("there is no table nobody, nothing (looked in PUBLIC");
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void aDatabaseThatRefusesIsToldWithoutItsPassword() {
        site.environment.put("PRIVOXY_PASSWORD", "sesame-4711");

        Site.Ran ran = site.run("schema", "--url", site.url() + ";IFEXISTS=TRUE;USER=nobody", "--user", "other");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("cannot read the tables of jdbc:h2:mem:").doesNotContain("sesame-4711");
    }
}
