package io.leeway.lazytables.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.client.ClientCore;
import io.leeway.lazytables.internal.client.ClientSettings;
import io.leeway.lazytables.internal.client.ClientTable;
import io.leeway.lazytables.internal.local.TaskThread;
import io.leeway.lazytables.internal.net.FrameSender;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a process's workers are told of what fails on its network thread. */
@Timeout(60)
class ClientProcessTest {

    @Test
    void whateverFailsOnTheNetworkThreadEndsWaits() {
        try (var thread = new TaskThread("lazytables-client-test")) {
            var core = new ClientCore(ClientSettings.of(0, 1, 1, 1, 1));
            var process = new ClientProcess(core, thread, Duration.ofSeconds(20), Long.MAX_VALUE);
            process.sendWith(new NoMemory());
            ClientTable table = process.define("t", TableSpec.dense(CellType.LONG, 1));
            thread.execute(() -> process.onOpen(0));

            assertThatThrownBy(() -> process.read(core.worker(0), table, 0, 0))
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.FAILED))
                    .hasMessageContaining("no memory");
        }
    }

    @Test
    void closingSaysWhatServersDoNotHave() {
        try (var thread = new TaskThread("lazytables-client-test")) {
            var core = new ClientCore(ClientSettings.of(0, 1, 1, 2, 1));
            var process = new ClientProcess(core, thread, Duration.ofMillis(50), Long.MAX_VALUE);
            process.clock(core.worker(0));
            process.clock(core.worker(0));

            assertThatThrownBy(process::close)
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMEOUT))
                    .hasMessageContaining("server 0, which is not connected, lacks clocks 1 to 2")
                    .hasMessageContaining("server 1, which is not connected, lacks clocks 1 to 2");
            // It is closed, and that is said once.
            process.close();
            assertThatThrownBy(() -> process.clock(core.worker(0)))
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.CLOSED));
        }
    }

    @Test
    void closingBehindAFailureSaysWhatServersDoNotHave() {
        try (var thread = new TaskThread("lazytables-client-test")) {
            var core = new ClientCore(ClientSettings.of(0, 1, 1, 1, 1));
            var process = new ClientProcess(core, thread, Duration.ofMinutes(5), Long.MAX_VALUE);
            process.clock(core.worker(0));
            core.fail(LazyTablesException.of(Code.DROPPED, "another one has the place"));

            assertThatThrownBy(process::close)
                    .isInstanceOfSatisfying(
                            LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.DROPPED))
                    .hasMessageContaining("another one has the place")
                    .hasMessageContaining("lacks clocks 1 to 1");
            process.close();
        }
    }

    @Test
    void whoAbandonsIsToldNothing() {
        try (var thread = new TaskThread("lazytables-client-test")) {
            var core = new ClientCore(ClientSettings.of(0, 1, 1, 1, 1));
            var process = new ClientProcess(core, thread, Duration.ofMinutes(5), Long.MAX_VALUE);
            process.clock(core.worker(0));

            process.abandon();
            process.close();

            assertThat(core.failure()).hasMessageContaining("abandoned");
        }
    }

    @Test
    void eventsOfTheNetworkWaitForWorkers() {
        EventsOfTheNetwork.run();
    }

    private static final class NoMemory implements FrameSender {

        @Override
        public boolean send(int peer, byte[] buffer, int offset, int length) {
            throw new OutOfMemoryError("no memory");
        }

        @Override
        public boolean hasRoom(int peer) {
            return true;
        }

        @Override
        public void close(int peer) {
            throw new AssertionError("nobody closes");
        }
    }
}
