package io.leeway.lazybase.internal.pipeline;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.leeway.lazybase.internal.column.KeyCodec;
import io.leeway.lazybase.internal.column.Keys;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.storage.RunFile;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What queries read: versions of the state with their files open. A query pins the version that is current when it begins; a file is
 * removed when no version that needs it is current or pinned. Thread-safe.
 */
final class Versions implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Versions.class);

    private final Store store;
    private final Cache<Object, Object> cache;
    private final Deque<Version> alive = new ArrayDeque<>();
    private final Map<String, RunFile> open = new HashMap<>();
    private boolean closed;

    /** One state, what represents it, and how many look at it. */
    static final class Version {
        final State state;
        final List<Scu> unsorted;
        final Scu openScu;
        final Map<String, RunFile> files;
        private final Set<String> names;
        private int pins;

        Version(State state, List<Scu> unsorted, Scu openScu, Map<String, RunFile> files) {
            this.state = state;
            this.unsorted = List.copyOf(unsorted);
            this.openScu = openScu;
            this.files = Map.copyOf(files);
            this.names = state.files();
        }
    }

    Versions(Store store, long cacheBytes) {
        this.store = store;
        this.cache = CacheBuilder.newBuilder()
                .maximumWeight(cacheBytes / 1024)
                .weigher((Object key, Object value) -> weight(value))
                .build();
    }

    /** In kilobytes. */
    private static int weight(Object value) {
        long bytes = 64;
        if (value instanceof Vector vector) {
            bytes += vector.memory();
        } else if (value instanceof Keys keys) {
            bytes += keys.memory();
        } else if (value instanceof byte[] flags) {
            bytes += flags.length;
        }
        return (int) Math.min(Integer.MAX_VALUE, bytes / 1024 + 1);
    }

    /** Opens a file of a run, or gives the one that is open. */
    synchronized RunFile open(String name, KeyCodec codec) throws IOException {
        RunFile file = open.get(name);
        if (file == null) {
            file = new RunFile(store, name, codec, cache);
            open.put(name, file);
        }
        return file;
    }

    /** Makes a state the current one. All its files that can be opened are. */
    synchronized void publish(State state, List<Scu> unsorted, Scu openScu, Map<String, KeyCodec> codecs)
            throws IOException {
        var files = new HashMap<String, RunFile>();
        for (Map.Entry<String, KeyCodec> entry : codecs.entrySet()) {
            files.put(entry.getKey(), open(entry.getKey(), entry.getValue()));
        }
        alive.addLast(new Version(state, unsorted, openScu, files));
        collect();
    }

    /** The current version, which stays as it is until it is unpinned. */
    synchronized Version pin() {
        Version current = alive.getLast();
        current.pins++;
        return current;
    }

    synchronized Version current() {
        return alive.getLast();
    }

    synchronized void unpin(Version version) {
        version.pins--;
        collect();
    }

    /** Number of versions that are still looked at, with the current one. */
    synchronized int count() {
        return alive.size();
    }

    /** Lets go of versions that nobody looks at, and of files that no version left needs. */
    private void collect() {
        var candidates = new ArrayList<String>();
        var kept = new ArrayDeque<Version>();
        for (Version version : alive) {
            if (version.pins > 0 || version == alive.getLast()) {
                kept.addLast(version);
            } else {
                candidates.addAll(version.names);
            }
        }
        if (kept.size() == alive.size()) {
            return;
        }
        alive.clear();
        alive.addAll(kept);
        if (closed) {
            return;
        }
        for (String name : candidates) {
            if (alive.stream().noneMatch(version -> version.names.contains(name))) {
                remove(name);
            }
        }
    }

    private void remove(String name) {
        RunFile file = open.remove(name);
        if (file != null) {
            file.close();
        }
        try {
            store.delete(name);
        } catch (IOException e) {
            // It is removed with the other orphans at the next start.
            LOG.warn("cannot remove {}: {}", name, e.toString());
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        open.values().forEach(RunFile::close);
        open.clear();
        cache.invalidateAll();
    }
}
