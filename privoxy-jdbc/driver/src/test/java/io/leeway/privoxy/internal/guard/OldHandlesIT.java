package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbPoolDataSource;

/** The handle of a connection that went back to its pool sets nothing on it: the ninth attacker's R17. */
class OldHandlesIT extends Cases {

    @Test
    void anOldHandleChangesNothingOfTheRealConnection() throws Exception {
        on(On.MARIADB);
        String url = database.url().replace("jdbc:privoxy:", "jdbc:");
        String more = (url.contains("?") ? "&" : "?") + "maxPoolSize=1&minPoolSize=1&user=" + database.user()
                + "&password=" + database.password();
        try (var pool = new MariaDbPoolDataSource(url + more)) {
            var checked = PrivoxyDataSource.wrap(
                    pool, Map.of("privoxyPolicy", database.policyFile().toString()));
            Connection old = checked.getConnection();
            old.close();
            try (Connection next = checked.getConnection()) {
                request(1);
                assertThatThrownBy(() -> old.setNetworkTimeout(Runnable::run, 1))
                        .isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> old.setHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT))
                        .isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> old.setTypeMap(Map.of())).isInstanceOf(SQLException.class);
                assertThat(next.getNetworkTimeout()).isNotEqualTo(1);
                assertThat(rows(next, "SELECT id FROM users")).hasSize(3);
            }
        }
    }
}
