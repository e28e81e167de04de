package io.leeway.lazytables.internal.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.net.NetworkThread;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.testkit.LogCapture;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server does from time to time. */
@Timeout(60)
class UpkeepTest {

    private final ArrayDeque<Runnable> later = new ArrayDeque<>();

    @Test
    void anAnswerThatFailsDoesNotEndIt() {
        var config = LazyTablesConfig.of(Map.of("lazytables.server.expire", "1ms"));
        try (LogCapture log = LogCapture.of(Upkeep.class.getName());
                Upkeep upkeep = Upkeep.of(config, 2, CombineOps.of(List.of()))) {
            upkeep.core().onOpen(0);
            byte[] hello = hello();
            upkeep.core().onFrame(0, hello, 0, hello.length);
            upkeep.core().onClosed(0, null);
            int[] answers = {0};
            upkeep.begin(new Later(), () -> {
                answers[0]++;
                throw new IllegalStateException("no memory");
            });
            while (answers[0] == 0) {
                later.remove().run();
            }

            assertThat(later).hasSize(1);
            assertThat(log.messages(Level.SEVERE))
                    .singleElement()
                    .asString()
                    .contains("What a server does from time to time failed");
        }
    }

    private static byte[] hello() {
        var outbox = new Outbox();
        WireBuffer out = outbox.begin(Protocol.HELLO);
        for (int number : new int[] {Protocol.VERSION, 0, 0, 0, 2, 1}) {
            out.putVar(number);
        }
        out.putLong(1);
        for (int number : new int[] {0, 0, 1}) {
            out.putVar(number);
        }
        outbox.end();
        var frames = new ArrayDeque<byte[]>();
        outbox.sendTo(CopyingSender.into(frames), 0);
        return frames.remove();
    }

    /** Keeps what is to be done later. */
    private final class Later implements NetworkThread {

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void executeAfter(Runnable task, long nanos) {
            later.add(task);
        }
    }
}
