package io.leeway.hindex.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class HandlersTest {

    private static final TableName HANGING = TableName.valueOf("hanging");

    private static Handlers handlers(int all) {
        var server = new Configuration(false);
        server.setInt("hbase.regionserver.handler.count", all);
        return Handlers.of(server);
    }

    @Test
    void writesThatWaitForOneTablesIndexesLeaveHandlersToOthers() throws Exception {
        Handlers handlers = handlers(8);
        for (int write = 0; write < 6; write++) {
            // Whatever region it is of.
            handlers.of(HANGING).take();
        }

        assertThatThrownBy(() -> handlers.of(HANGING).take())
                .isInstanceOf(RegionTooBusyException.class)
                .hasMessageContaining("hanging");
        handlers.of(TableName.valueOf("healthy")).take();
        handlers.of(HANGING).giveBack();
        handlers.of(HANGING).take();
    }

    @Test
    void aServerWithOneHandlerWritesAllTheSame() throws Exception {
        Handlers.OfTable only = handlers(1).of(HANGING);

        only.take();
        only.giveBack();

        assertThat(only).isNotNull();
    }
}
