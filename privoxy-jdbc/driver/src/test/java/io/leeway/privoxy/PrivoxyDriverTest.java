package io.leeway.privoxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.driver.Connections;
import io.leeway.privoxy.internal.driver.FakeGuard;
import io.leeway.privoxy.internal.driver.Targets;
import io.leeway.testkit.LogCapture;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.rowset.JdbcRowSet;
import javax.sql.rowset.RowSetProvider;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class PrivoxyDriverTest {

    private static final String H2 = "jdbc:privoxy:h2:mem:driver;privoxyPolicy=policy.sql";

    private final FakeGuard guard = new FakeGuard();
    private final Driver driver = new PrivoxyDriver(new Connections(new Targets(guard)));

    @Test
    void theDriverRegistersItself() throws SQLException {
        assertThat(ServiceLoader.load(Driver.class)).hasAtLeastOneElementOfType(PrivoxyDriver.class);
        assertThat(DriverManager.getDriver("jdbc:privoxy:h2:mem:x")).isInstanceOf(PrivoxyDriver.class);
    }

    @Test
    void otherUrlsAreNotOurs() throws SQLException {
        assertThat(driver.acceptsURL("jdbc:h2:mem:x")).isFalse();
        assertThat(driver.connect("jdbc:h2:mem:x", new Properties())).isNull();
        assertThat(driver.getPropertyInfo("jdbc:h2:mem:x", new Properties())).isEmpty();
    }

    @Test
    void aConnectionIsCheckedAndTheRealDriverSeesNoOwnOption() throws SQLException {
        try (Connection connection = driver.connect(H2, null);
                var statement = connection.createStatement()) {
            statement.execute("SELECT 1");
            assertThat(guard.checked).containsExactly("SELECT 1");
        }
    }

    @Test
    void wrongOptionsFailAtConnectAllAtOnce() {
        assertThatThrownBy(
                        () -> driver.connect("jdbc:privoxy:h2:mem:x;privoxyPolcy=p;privoxyMode=on", new Properties()))
                .isInstanceOf(PrivoxyFailureException.class)
                .hasMessageContaining("did you mean privoxyPolicy?")
                .hasMessageContaining("privoxyMode must be one of")
                .satisfies(failure ->
                        assertThat(((SQLException) failure).getSQLState()).isEqualTo("08001"));
    }

    @Test
    void withoutARealDriverTheOnesSeenAreNamedAndThePasswordIsNot() {
        String url = "jdbc:privoxy:mysql://user:secret@h/db?privoxyPolicy=p&password=secret";

        assertThatThrownBy(() -> driver.connect(url, new Properties()))
                .hasMessageContaining("PRIVOXY-1002")
                .hasMessageContaining("jdbc:mysql://h/db")
                .hasMessageContaining("com.mysql.cj.jdbc.Driver (not found)")
                .hasMessageContaining("org.h2.Driver")
                .hasMessageNotContaining("secret");
    }

    @Test
    void theRealDriverMayBeNamed() throws SQLException {
        try (Connection connection = driver.connect(H2 + ";privoxyDelegateDriver=org.h2.Driver", null)) {
            assertThat(connection.isValid(1)).isTrue();
        }
        assertThatThrownBy(() -> driver.connect(H2 + ";privoxyDelegateDriver=org.postgresql.Driver", null))
                .hasMessageContaining("PRIVOXY-1002");
        assertThatThrownBy(() -> driver.connect(H2 + ";privoxyDelegateDriver=no.such.Driver", null))
                .hasMessageContaining("no.such.Driver (not found)");
    }

    @Test
    void nothingOfUrlOrPasswordIsLogged() throws SQLException {
        try (LogCapture log = LogCapture.of("io.leeway.privoxy")) {
            var properties = new Properties();
            properties.setProperty("user", "sa");
            properties.setProperty("password", "secret");
            driver.connect("jdbc:privoxy:h2:mem:logged;privoxyPolicy=p", properties)
                    .close();
            assertThat(log.text()).doesNotContain("secret").doesNotContain("h2:mem");
        }
    }

    @Test
    void theErrorOfTheRealDriverPassesUntouched() {
        String url = "jdbc:privoxy:h2:mem:x;IFEXISTS=TRUE;privoxyPolicy=p";

        assertThatThrownBy(() -> driver.connect(url, new Properties()))
                .isInstanceOf(org.h2.jdbc.JdbcSQLNonTransientConnectionException.class);
    }

    @Test
    void propertiesAreOursThenTheRealDrivers() throws SQLException {
        DriverPropertyInfo[] known = driver.getPropertyInfo(H2, null);

        assertThat(Arrays.stream(known).limit(PrivoxyOptions.all().size()).map(info -> info.name))
                .containsExactlyElementsOf(
                        PrivoxyOptions.all().stream().map(PrivoxyOption::key).toList());
        assertThat(known[0].value).isEqualTo("policy.sql");
        assertThat(known[0].required).isTrue();
        assertThat(known[1].choices).containsExactly("enforce", "audit", "off");
        assertThat(known[1].description).contains("enforce, audit, off");
        assertThat(driver.getPropertyInfo("jdbc:privoxy:postgresql:db", new Properties()))
                .hasSizeGreaterThan(PrivoxyOptions.all().size());
    }

    @Test
    void theDriverDescribesItself() {
        assertThat(driver.getMajorVersion()).isZero();
        assertThat(driver.getMinorVersion()).isOne();
        assertThat(driver.jdbcCompliant()).isFalse();
        assertThatThrownBy(driver::getParentLogger).isInstanceOf(SQLFeatureNotSupportedException.class);
    }

    @Test
    void aJdbcRowSetOverTheUrlIsChecked() throws SQLException {
        DriverManager.registerDriver(driver);
        try (Connection keeper = DriverManager.getConnection("jdbc:h2:mem:rows");
                var statement = keeper.createStatement();
                JdbcRowSet rows = RowSetProvider.newFactory().createJdbcRowSet()) {
            statement.execute("CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(20))");
            statement.execute("INSERT INTO people VALUES (1, 'Ada')");
            rows.setUrl("jdbc:privoxy:h2:mem:rows;privoxyPolicy=no such file.sql");
            rows.setCommand("SELECT id, name FROM people WHERE id = ?");
            rows.setInt(1, 1);
            rows.execute();
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(2)).isEqualTo("Ada");
            assertThat(guard.checked).contains("SELECT id, name FROM people WHERE id = ?");
            assertThat(guard.parameters.get(0)).isEqualTo(1);

            rows.setCommand("SELECT id AS forbidden FROM people");
            assertThatThrownBy(rows::execute).isInstanceOf(PolicyViolationException.class);
        } finally {
            DriverManager.deregisterDriver(driver);
        }
    }

    @Test
    void aDataSourceInFrontOfAnotherChecks() throws SQLException {
        var real = new JdbcDataSource();
        real.setURL("jdbc:h2:mem:source");
        real.setUser("sa");
        var options = new Properties();
        options.setProperty("privoxyPolicy", "p");
        options.setProperty("privoxy.MyUId", "2");
        try (var source = PrivoxyDataSource.wrap(real, options, new Targets(guard));
                Connection connection = source.getConnection();
                Connection other = source.getConnection("sa", "");
                var statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("SELECT 'forbidden'"))
                    .isInstanceOf(PolicyViolationException.class);
            assertThat(guard.request().context()).containsKey("MyUId");
            assertThat(other.isValid(1)).isTrue();
            assertThat(guard.opened).hasSize(1);
            assertThat(source.unwrap(DataSource.class)).isSameAs(source);
            assertThat(source.isWrapperFor(JdbcDataSource.class)).isFalse();
            assertThatThrownBy(() -> source.unwrap(JdbcDataSource.class)).isInstanceOf(PolicyViolationException.class);
            source.setLoginTimeout(3);
            assertThat(real.getLoginTimeout()).isEqualTo(3);
            assertThat(source.getLoginTimeout()).isEqualTo(3);
            assertThat(source.getLogWriter()).isNull();
        }
    }

    @Test
    void aDataSourceByUrlNeedsTheUrl() {
        var source = new PrivoxyDataSource();
        assertThatThrownBy(source::getConnection).hasMessageContaining("PRIVOXY-1001");
        source.setUrl("jdbc:h2:mem:x");
        assertThatThrownBy(source::getConnection).hasMessageContaining("PRIVOXY-1001");
        source.setUrl("jdbc:privoxy:h2:mem:x;PASSWORD=secret");
        source.setUser("u");
        source.setPassword("secret");
        source.setPrivoxyMode("on");
        assertThatThrownBy(source::getConnection)
                .hasMessageContaining("privoxyMode must be one of")
                .hasMessageNotContaining("secret");
        assertThat(source.getUrl()).isEqualTo("jdbc:privoxy:h2:mem:x");
    }

    @Test
    void aDataSourceByUrlConnects() throws SQLException {
        try (var source = PrivoxyDataSource.of("jdbc:privoxy:h2:mem:off")) {
            source.setPrivoxyMode("off");
            var more = new Properties();
            more.setProperty("privoxy.MyUId", "2");
            source.setProperties(more);
            try (Connection connection = source.getConnection();
                    Connection other = source.getConnection("", "")) {
                assertThat(connection.getClientInfo("privoxy.MyUId")).isEqualTo("2");
                assertThat(other.isValid(1)).isTrue();
            }
        }
    }

    @Test
    void anXaDataSourceByUrlChecks() throws SQLException {
        var source = new PrivoxyXADataSource(new Targets(guard));
        source.setUrl("jdbc:privoxy:h2:mem:xa;privoxyPolcy=p");
        source.setUser("sa");
        assertThatThrownBy(source::getXAConnection).hasMessageContaining("did you mean privoxyPolicy?");

        source = new PrivoxyXADataSource(new Targets(guard));
        source.setUrl("jdbc:privoxy:h2:mem:xa");
        source.setPrivoxyPolicy("p");
        XAConnection xa = source.getXAConnection();
        try (Connection connection = xa.getConnection();
                var statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("SELECT 'forbidden'"))
                    .isInstanceOf(PolicyViolationException.class);
        }
        xa.close();
        source.getPooledConnection().close();
        source.getPooledConnection("sa", "").close();
        source.setLoginTimeout(2);
        assertThat(source.getLoginTimeout()).isEqualTo(2);
        assertThat(source.getLogWriter()).isNull();
    }

    @Test
    void anXaDataSourceWithoutUsableUrlSaysSo() {
        var source = new PrivoxyXADataSource(new Targets(guard));
        assertThatThrownBy(() -> source.setUrl("jdbc:h2:mem:x")).hasMessageContaining("PRIVOXY-1001");
        assertThatThrownBy(() -> source.setUrl("jdbc:privoxy:mysql://h/db")).hasMessageContaining("PRIVOXY-1002");
        assertThatThrownBy(source::getXAConnection).hasMessageContaining("has no URL");
        assertThatThrownBy(() ->
                        PrivoxyXADataSource.wrap(new JdbcDataSource(), Map.of()).getXAConnection())
                .hasMessageContaining("privoxyPolicy is missing");
    }
}
