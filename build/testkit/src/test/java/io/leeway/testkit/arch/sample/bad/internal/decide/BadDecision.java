package io.leeway.testkit.arch.sample.bad.internal.decide;

import io.leeway.testkit.arch.sample.bad.internal.config.BadConfig;
import java.sql.SQLException;

/** Knows a host, reads the clock, writes to the console. */
public final class BadDecision {

    public long decide() throws SQLException {
        System.out.println(BadConfig.create().hashCode());
        java.util.logging.Logger.getLogger("x").info("y");
        new IllegalStateException().printStackTrace();
        return System.nanoTime();
    }
}
