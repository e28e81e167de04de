package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class ConnectionUrlTest {

    @Test
    void ownOptionsAreTakenOutOfAPostgresUrlAndTheRestStaysInOrder() throws SQLException {
        var url =
                of("jdbc:privoxy:postgresql://h:5432/db?ssl=true&privoxyPolicy=/etc/a%20b.sql&user=u&privoxy.MyUId=2");

        assertThat(url.realUrl()).isEqualTo("jdbc:postgresql://h:5432/db?ssl=true&user=u");
        assertThat(url.database()).isEqualTo(Database.POSTGRESQL);
        assertThat(url.options()).isEqualTo(Map.of("privoxyPolicy", "/etc/a b.sql"));
        assertThat(url.context()).isEqualTo(Map.of("MyUId", "2"));
    }

    @Test
    void theQuestionMarkGoesWithTheLastOwnOption() throws SQLException {
        assertThat(of("jdbc:privoxy:mariadb://h/db?privoxyMode=off").realUrl()).isEqualTo("jdbc:mariadb://h/db");
        assertThat(of("jdbc:privoxy:mysql://h/db?privoxyMode=off").realUrl()).isEqualTo("jdbc:mysql://h/db");
        assertThat(of("jdbc:privoxy:postgresql:db").realUrl()).isEqualTo("jdbc:postgresql:db");
    }

    @Test
    void h2HasSemicolonsAndEscapesThem() throws SQLException {
        var url = of("jdbc:privoxy:h2:mem:x;INIT=RUNSCRIPT FROM 'a'\\;SET SCHEMA b;privoxyPolicy=p.sql;MODE=MySQL");

        assertThat(url.realUrl()).isEqualTo("jdbc:h2:mem:x;INIT=RUNSCRIPT FROM 'a'\\;SET SCHEMA b;MODE=MySQL");
        assertThat(url.options()).isEqualTo(Map.of("privoxyPolicy", "p.sql"));
    }

    @Test
    void propertiesWinOverTheUrlAndKeepTheirDefaultsAndObjects() throws SQLException {
        var defaults = new Properties();
        defaults.setProperty("privoxyMode", "audit");
        defaults.setProperty("user", "u");
        var properties = new Properties(defaults);
        Object vendor = new Object();
        properties.put("vendor", vendor);
        properties.setProperty("privoxyPolicy", "theirs.sql");

        var url = ConnectionUrl.of("jdbc:privoxy:h2:mem:x;privoxyPolicy=mine.sql", properties);

        assertThat(url.options()).isEqualTo(Map.of("privoxyPolicy", "theirs.sql", "privoxyMode", "audit"));
        assertThat(url.realProperties().getProperty("user")).isEqualTo("u");
        assertThat(url.realProperties()).containsEntry("vendor", vendor).doesNotContainKey("privoxyPolicy");
    }

    @Test
    void aMistypedOptionIsOursInAnyCaseSoThatItIsReported() throws SQLException {
        assertThat(of("jdbc:privoxy:h2:mem:x;PRIVOXYMODE=off").options()).containsKey("PRIVOXYMODE");
    }

    @Test
    void anUnknownDatabaseIsNamedWithTheKnownOnes() {
        assertThatThrownBy(() -> of("jdbc:privoxy:oracle:thin:@h"))
                .hasMessageContaining("PRIVOXY-1001")
                .hasMessageContaining("jdbc:privoxy:postgresql:, jdbc:privoxy:mariadb:")
                .hasMessageNotContaining("thin");
    }

    @Test
    void aUrlForMessagesHasNoCredentials() {
        assertThat(ConnectionUrl.safe("jdbc:postgresql://h/db?user=u&password=secret"))
                .isEqualTo("jdbc:postgresql://h/db");
        assertThat(ConnectionUrl.safe("jdbc:mysql://u:secret@h/db")).isEqualTo("jdbc:mysql://h/db");
        assertThat(ConnectionUrl.safe("jdbc:mysql://u:se@cret@h/db;x")).isEqualTo("jdbc:mysql://h/db");
        assertThat(ConnectionUrl.safe("jdbc:h2:mem:x;PASSWORD=secret")).isEqualTo("jdbc:h2:mem:x");
    }

    private static ConnectionUrl of(String url) throws SQLException {
        return ConnectionUrl.of(url, new Properties());
    }
}
