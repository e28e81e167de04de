package io.leeway.autotune.internal.controller;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.Tuning;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * Tuning instances in an embedded store: every change is on disk before it is answered, so that a controller that is
 * killed goes on where it ended. The file is locked: two controllers cannot have the same instances. Thread-safe.
 */
final class InstanceStore implements AutoCloseable {

    private static final int MOST = 10_000;

    private final MVStore store;
    private final MVMap<String, String> states;
    private final Map<String, Tuning> live = new TreeMap<>();

    private InstanceStore(MVStore store) {
        this.store = store;
        this.states = store.openMap("instances");
    }

    static InstanceStore open(Path file) {
        try {
            return new InstanceStore(new MVStore.Builder()
                    .fileName(file.toString())
                    .autoCommitDisabled()
                    .open());
        } catch (MVStoreException e) {
            throw AutoTuneError.BAD_STATE.because(file + ": " + e.getMessage(), e);
        }
    }

    synchronized String create(Tuning tuning) {
        if (states.size() >= MOST) {
            throw AutoTuneError.BAD_REQUEST.because("there are " + MOST + " instances already");
        }
        String id = UUID.randomUUID().toString();
        live.put(id, tuning);
        save(id, tuning);
        return id;
    }

    /** Does something with an instance and stores what became of it. */
    synchronized <T> T with(String id, Function<Tuning, T> what) {
        Tuning tuning = find(id);
        T result = what.apply(tuning);
        save(id, tuning);
        return result;
    }

    private Tuning find(String id) {
        Tuning tuning = live.get(id);
        if (tuning == null) {
            String state = states.get(id);
            if (state == null) {
                throw AutoTuneError.UNKNOWN_NAME.because("no instance " + id);
            }
            tuning = Tuning.fromJson(state);
            live.put(id, tuning);
        }
        return tuning;
    }

    private void save(String id, Tuning tuning) {
        states.put(id, tuning.toJson());
        store.commit();
    }

    synchronized List<String> ids() {
        return List.copyOf(states.keySet());
    }

    synchronized boolean delete(String id) {
        live.remove(id);
        boolean was = states.remove(id) != null;
        store.commit();
        return was;
    }

    @Override
    public synchronized void close() {
        store.close();
    }
}
