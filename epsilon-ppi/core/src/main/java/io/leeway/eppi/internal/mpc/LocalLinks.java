package io.leeway.eppi.internal.mpc;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Links between parties that are threads of one process: for simulations, measurements and tests. */
public final class LocalLinks {

    private static final long LIMIT_SECONDS = 600;

    private LocalLinks() {}

    /** The links of all parties. */
    public static Links[] all(int parties) {
        var queues = new BlockingQueue<?>[parties][parties];
        for (BlockingQueue<?>[] row : queues) {
            for (int to = 0; to < parties; to++) {
                row[to] = new LinkedBlockingQueue<byte[]>();
            }
        }
        var links = new Links[parties];
        for (int party = 0; party < parties; party++) {
            links[party] = linksOf(party, queues);
        }
        return links;
    }

    @SuppressWarnings("unchecked") // All queues were made for messages.
    private static Links linksOf(int party, BlockingQueue<?>[][] queues) {
        var links = new Link[queues.length];
        for (int other = 0; other < links.length; other++) {
            if (other != party) {
                links[other] = new QueueLink(
                        (BlockingQueue<byte[]>) queues[party][other], (BlockingQueue<byte[]>) queues[other][party]);
            }
        }
        return new Links(party, links);
    }

    private record QueueLink(BlockingQueue<byte[]> out, BlockingQueue<byte[]> in) implements Link {

        @Override
        public void send(byte[] message) {
            out.add(message);
        }

        @Override
        public byte[] receive() {
            try {
                byte[] message = in.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
                if (message == null) {
                    throw EppiException.of(Code.TIMEOUT, "nothing came for " + LIMIT_SECONDS + " seconds");
                }
                return message;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw EppiException.of(Code.ABORTED, "interrupted", e);
            }
        }
    }
}
