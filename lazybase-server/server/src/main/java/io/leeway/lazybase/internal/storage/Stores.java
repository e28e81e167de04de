package io.leeway.lazybase.internal.storage;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.function.LongConsumer;

/** Finds the store that is asked for, and copies stores. Stateless. */
public final class Stores {

    private static final int PIECE = 1 << 20;

    private Stores() {}

    /** The store of a server with these options. */
    public static Store of(LazyBaseOptions options) throws IOException {
        String location = options.get(LazyBaseOptions.STORE);
        return location.isEmpty() ? new LocalStore(directory(options.get(LazyBaseOptions.DIRECTORY))) : open(location);
    }

    /** Where the data is in a server's directory. */
    public static Path directory(String directory) {
        return Path.of(directory).toAbsolutePath().resolve("store");
    }

    private static Store open(String location) throws IOException {
        if (!location.matches("[a-z0-9+.-]+:.*")) {
            return new LocalStore(Path.of(location));
        }
        for (Store.Provider provider : ServiceLoader.load(Store.Provider.class)) {
            if (provider.opens(location)) {
                return provider.open(location);
            }
        }
        throw new LazyBaseException(
                Code.CONFIGURATION,
                LazyBaseOptions.STORE.key() + "=" + location
                        + " needs a jar that opens it: lazybase-hadoop.jar does for" + " hdfs.");
    }

    /** Whether there is data: the file that names the log; where several processes share a store it has the term in its name. */
    public static boolean hasData(Store store) throws IOException {
        return store.list().stream().anyMatch(Stores::isPointer);
    }

    private static boolean isPointer(String name) {
        return name.matches("(t\\d+-)?current");
    }

    /** Bytes of all files. */
    public static long size(Store store) throws IOException {
        long bytes = 0;
        for (String name : store.list()) {
            try (Store.Reader file = store.open(name)) {
                bytes += file.size();
            }
        }
        return bytes;
    }

    /** Copies all files to an empty store. The file that names the log comes last: a copy that was cut short is no store. */
    public static void copy(Store from, Store to, LongConsumer progress) throws IOException {
        for (boolean pointers : new boolean[] {false, true}) {
            for (String name : from.list()) {
                if (isPointer(name) == pointers) {
                    copy(name, from, to, progress);
                }
            }
        }
    }

    private static void copy(String name, Store from, Store to, LongConsumer progress) throws IOException {
        // Of a copy that was cut short before.
        to.delete(name);
        try (Store.Reader in = from.open(name);
                Store.Writer out = to.create(name)) {
            long size = in.size();
            for (long at = 0; at < size; at += PIECE) {
                byte[] piece = in.read(at, (int) Math.min(PIECE, size - at));
                out.write(piece, 0, piece.length);
                progress.accept(piece.length);
            }
            out.sync();
        }
    }
}
