package io.leeway.lazytables.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.internal.config.LazyTablesConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What connections share. */
@Timeout(120)
class HubTest {

    private final List<String> happened = new CopyOnWriteArrayList<>();

    @Test
    void aConnectionThatCannotSendKeepsNoOtherFromIt() {
        try (NetLoop loop = NetLoop.start("test-hub")) {
            var hub = new Hub(loop, NetSettings.ofClient(LazyTablesConfig.of(Map.of())), new NetCounters());
            for (int round = 0; round < 2; round++) {
                TestServer.on(loop, () -> {
                    hub.hasUnsent(new Flushed("first", false));
                    hub.hasUnsent(new Flushed("broken", true));
                    hub.hasUnsent(new Flushed("last", false));
                    return true;
                });
                // Behind what the hub has the thread do.
                TestServer.on(loop, () -> true);
            }
        }

        List<String> each = List.of("first", "broken", "broken failed: no memory", "last");
        assertThat(happened).hasSize(8).startsWith(each.toArray(new String[0])).endsWith(each.toArray(new String[0]));
    }

    /** Something to be sent. */
    private final class Flushed implements Hub.Unsent {

        private final String name;
        private final boolean fails;

        Flushed(String name, boolean fails) {
            this.name = name;
            this.fails = fails;
        }

        @Override
        public void flush() {
            happened.add(name);
            if (fails) {
                throw new IllegalStateException("no memory");
            }
        }

        @Override
        public void fail(Throwable cause) {
            happened.add(name + " failed: " + cause.getMessage());
        }
    }
}
