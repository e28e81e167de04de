package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.spi.SnapshotStore;
import io.leeway.lazytables.spi.SnapshotStoreProvider;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Stores in memory, as a program may bring its own; {@code memory:full} takes nothing, {@code memory:lame} lacks a class the first time. */
public final class MemoryStores implements SnapshotStoreProvider {

    private static final Map<String, Map<String, byte[]>> STORES = new ConcurrentHashMap<>();
    private static final AtomicBoolean LAME = new AtomicBoolean(true);

    @Override
    public boolean opens(String scheme) {
        return scheme.equals("memory");
    }

    @Override
    public SnapshotStore open(String location) {
        return new Store(location, STORES.computeIfAbsent(location, name -> new ConcurrentHashMap<>()));
    }

    @Override
    public SnapshotStore openToRead(String location) {
        return open(location);
    }

    private record Store(String location, Map<String, byte[]> content) implements SnapshotStore {

        @Override
        public List<String> list() {
            return List.copyOf(content.keySet());
        }

        @Override
        public byte[] read(String name) throws IOException {
            byte[] bytes = content.get(name);
            if (bytes == null) {
                throw new FileNotFoundException(name);
            }
            return bytes;
        }

        @Override
        public void write(String name, byte[] bytes) throws IOException {
            if (location.endsWith("full")) {
                throw new IOException("No space left on device");
            }
            if (location.endsWith("lame") && LAME.compareAndSet(true, false)) {
                throw new NoClassDefFoundError("a/class/of/the/store");
            }
            content.put(name, bytes);
        }

        @Override
        public void delete(String name) {
            content.remove(name);
        }

        @Override
        public void close() {}
    }
}
