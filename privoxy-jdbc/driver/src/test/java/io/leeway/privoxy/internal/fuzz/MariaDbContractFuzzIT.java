package io.leeway.privoxy.internal.fuzz;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

/**
 * With fewer scenarios in the fast tier: most of its time is the server's. The server has ended under it, once (11.4.5,
 * signal 11 in {@code ha_maria::drop_table}) since another server that started removed its temporary tables; each has its
 * own directory for them now. A {@code VALUES … ORDER BY} with a sub-query on its columns (signal 11 in
 * {@code resolve_ref_in_select_and_group}) ends it too: the grammar does not draw it for MariaDB.
 */
class MariaDbContractFuzzIT extends ContractFuzz {

    @Override
    DatabaseServer server() {
        return TestDatabases.mariadb();
    }

    @Override
    Dialect dialect() {
        return Dialect.MARIADB;
    }

    @Override
    int fast() {
        return 45;
    }
}
