package io.leeway.testkit.hbase;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;

/** Names that no other test of this JVM has. */
final class TableNames {

    private static final AtomicInteger GIVEN = new AtomicInteger();

    private TableNames() {}

    static TableName fresh(String name) {
        return TableName.valueOf(name + "_" + GIVEN.incrementAndGet());
    }
}
