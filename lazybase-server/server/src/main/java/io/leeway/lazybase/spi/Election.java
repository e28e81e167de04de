package io.leeway.lazybase.spi;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Says which of several processes leads. It may err: for a while two may believe that they lead, the store then decides whose writes
 * count. Thread-safe.
 *
 * @since 0.1
 */
public interface Election extends Closeable {

    /** Returns when this process leads. */
    void await() throws InterruptedException, IOException;

    /** Whether it still leads, as far as is known. */
    boolean isLeading();

    /** Gives the lead to another process, if there is one, and takes part again. */
    void resign() throws IOException;

    /** The processes that do not lead and take tasks. */
    Helpers helpers();

    /**
     * Takes tasks from whoever leads until what is returned is closed.
     *
     * @param tasks how many at once
     * @param work does one; it does not throw
     */
    Closeable help(int tasks, UnaryOperator<byte[]> work);

    /** Makes elections. Found with {@link java.util.ServiceLoader}. */
    interface Provider {

        /**
         * Takes part in an election.
         *
         * @param location what {@code lazybase.cluster.zookeeper} says
         * @param group processes of one group elect one leader
         * @param address of this process, for people who look at who takes part
         * @param directory where an embedded service may keep its files
         * @throws IOException if the service cannot be reached
         */
        Election join(String location, String group, String address, Path directory) throws IOException;
    }
}
