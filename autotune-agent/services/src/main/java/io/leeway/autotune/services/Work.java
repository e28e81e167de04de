package io.leeway.autotune.services;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * What a request costs in every service here: a connection of a HikariCP pool to an H2 database, a query on it, and the
 * time that a database across a network takes to answer, in which the connection is held.
 */
public final class Work {

    private final DataSource pool;
    private final long heldNanos;

    /**
     * Makes the pool.
     *
     * @param connections of the pool
     * @param heldMillis how long a request holds its connection beyond the query
     */
    public Work(int connections, double heldMillis) {
        this(hikari(connections), heldMillis);
    }

    /** On another pool. */
    Work(DataSource pool, double heldMillis) {
        this.pool = pool;
        this.heldNanos = (long) (heldMillis * TimeUnit.MILLISECONDS.toNanos(1));
        run("create table if not exists item(id int primary key, name varchar(40))");
        run("merge into item key(id) select x, 'item ' || x from system_range(1, 1000)");
    }

    private static DataSource hikari(int connections) {
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:service");
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(5_000);
        return new HikariDataSource(config);
    }

    private void run(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Answers a request; a path that begins with {@code /fail} fails. */
    public String answer(String path) {
        if (path.startsWith("/fail")) {
            throw new IllegalStateException("as asked");
        }
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select name from item where id = 7")) {
            rows.next();
            String name = rows.getString(1);
            hold();
            return name;
        } catch (SQLException e) {
            throw new IllegalStateException("no connection", e);
        }
    }

    private void hold() {
        long end = System.nanoTime() + heldNanos;
        for (long left = heldNanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
