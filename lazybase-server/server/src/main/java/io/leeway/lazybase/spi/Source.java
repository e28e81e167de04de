package io.leeway.lazybase.spi;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A log of messages that somebody else keeps, in partitions, each in an order that does not change: a topic of Kafka's. It is read from
 * any offset as often as one likes; how far was read is not its business. For one thread.
 *
 * @since 0.1
 */
public interface Source extends Closeable {

    /**
     * A message.
     *
     * @param partition where it is
     * @param offset its place there; places may be missing, they never go back
     * @param value its content, or null if it has none
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Message(int partition, long offset, byte @Nullable [] value) {}

    /** The partitions that there are now; they may become more. */
    List<Integer> partitions() throws IOException;

    /** The offset of the first message of a partition that is still kept, or that of the next one that will come. */
    long edge(int partition, boolean end) throws IOException;

    /** Reads from these offsets on, and from no other partition. */
    void seek(Map<Integer, Long> offsets) throws IOException;

    /**
     * The next messages; none if none came in time.
     *
     * @throws IOException if the log cannot be reached, or does not keep what comes next any more
     */
    List<Message> poll(Duration wait) throws IOException;

    /** Opens sources. Found with {@link java.util.ServiceLoader}. */
    interface Provider {

        /** The word by which SQL names it. */
        String kind();

        /**
         * Connects.
         *
         * @param address where, as SQL has it
         * @param topic which log
         * @param directory of the server, where the operator may have left what a connection needs besides, secrets above all
         */
        Source open(String address, String topic, Path directory) throws IOException;
    }
}
