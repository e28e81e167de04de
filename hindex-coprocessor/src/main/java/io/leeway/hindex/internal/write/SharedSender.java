package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One sender for all regions of a region server: connected when the first of them needs it, closed when the last of them
 * is closed. Thread-safe.
 */
public final class SharedSender {

    private final Opener opener;
    private @Nullable IndexSender sender;
    private int users;

    private SharedSender(Opener opener) {
        this.opener = opener;
    }

    /** Opens the sender. */
    @FunctionalInterface
    public interface Opener {
        /** A new sender. */
        IndexSender open() throws IOException;
    }

    /**
     * The sender of one server; to be released.
     *
     * @param sharedInJvm what HBase shares between all coprocessors of one class, also those of other servers in the JVM
     */
    public static SharedSender acquire(Map<String, Object> sharedInJvm, String server, Opener opener) {
        // A jar that is loaded from two paths has two classes of this name.
        String key = server + "@" + System.identityHashCode(SharedSender.class);
        var shared = (SharedSender) sharedInJvm.computeIfAbsent(key, none -> new SharedSender(opener));
        synchronized (shared) {
            shared.users++;
        }
        return shared;
    }

    /** Writes entries; returns when all of them are there. */
    public void put(Collection<NewEntry> entries) throws IOException {
        sender().put(entries);
    }

    /** Removes entries; returns when all of them are gone. */
    public void delete(Collection<Entry> entries) throws IOException {
        sender().delete(entries);
    }

    private synchronized IndexSender sender() throws IOException {
        if (sender == null) {
            sender = opener.open();
        }
        return sender;
    }

    /** Ends one use. */
    public synchronized void release() throws IOException {
        users--;
        if (users == 0 && sender != null) {
            IndexSender last = sender;
            sender = null;
            last.close();
        }
    }
}
