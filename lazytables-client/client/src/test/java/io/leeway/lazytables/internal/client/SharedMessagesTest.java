package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.wire.Protocol;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How few messages a client process needs for many rows. */
class SharedMessagesTest {

    private static final int SERVERS = 2;
    private static final int ROWS = 1_000;

    private final ClientCore client = Clients.welcomed(SERVERS, Prefetch.NONE);
    private final ClientTable table =
            client.define("t", TableSpec.sparse(CellType.INT).rows(ROWS));
    private final List<List<byte[]>> sent = List.of(new ArrayList<>(), new ArrayList<>());

    @Test
    void questionsAboutManyRowsAreOneMessageForEachServer() {
        client.refresh(table, LongStream.range(0, ROWS).toArray(), 0, 0);
        client.flush(new CopyingSender((server, frame) -> sent.get(server).add(frame)));

        for (List<byte[]> toServer : sent) {
            assertThat(toServer).hasSize(1);
            assertThat(kinds(toServer.get(0))).containsOnlyOnce(Protocol.READ);
        }
    }

    @Test
    void aClocksUpdatesAndTheQuestionsAreOneFrameForEachServer() {
        for (long row = 0; row < ROWS; row++) {
            client.worker(0).updateLong(table, row, 3, row);
        }
        client.clock(client.worker(0));
        client.refresh(table, LongStream.range(0, ROWS).toArray(), 0, 0);
        client.flush(new CopyingSender((server, frame) -> sent.get(server).add(frame)));

        for (List<byte[]> toServer : sent) {
            assertThat(toServer).hasSize(1);
            assertThat(kinds(toServer.get(0))).containsOnlyOnce(Protocol.READ).containsOnlyOnce(Protocol.UPDATE);
        }
    }

    /** The kinds of a frame's messages: each has its kind, its length and its body. */
    private static List<Integer> kinds(byte[] frame) {
        List<Integer> kinds = new ArrayList<>();
        ByteBuffer rest = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        while (rest.hasRemaining()) {
            kinds.add((int) rest.get());
            int length = rest.getInt();
            rest.position(rest.position() + length);
        }
        return kinds;
    }
}
