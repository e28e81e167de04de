package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.storage.RunFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What there was at one moment. Nothing of it changes or is removed before it is closed. For one thread, except that reading is thread-safe.
 */
public final class Snapshot implements AutoCloseable {

    private final Versions versions;
    private Versions.@Nullable Version version;
    private final State state;
    private final List<Scu> unsorted;
    private final Scu open;
    private final java.util.Map<String, RunFile> files;
    private final int openGroups;
    private final long now;

    Snapshot(Versions versions, Versions.Version version, int openGroups, long now) {
        this.versions = versions;
        this.version = version;
        this.state = version.state;
        this.unsorted = version.unsorted;
        this.open = version.openScu;
        this.files = version.files;
        this.openGroups = openGroups;
        this.now = now;
    }

    /** Which SCU is represented by what. */
    public State state() {
        return state;
    }

    /** Definitions of tables. */
    public Catalog catalog() {
        return state.catalog();
    }

    /** Sealed SCUs that are not sorted. */
    public List<Scu> unsorted() {
        return unsorted;
    }

    /** The SCU that took commits. */
    public Scu open() {
        return open;
    }

    /** Groups that it had. */
    public int openGroups() {
        return openGroups;
    }

    /** When it was taken, in milliseconds. */
    public long now() {
        return now;
    }

    /** A file of a run. */
    public RunFile file(String name) {
        RunFile file = files.get(name);
        if (file == null) {
            throw new IllegalStateException("no file " + name + " in this snapshot");
        }
        return file;
    }

    /** The place in the history up to which it has everything. */
    public CommitToken token() {
        return openGroups > 0
                ? new CommitToken(open.number(), openGroups)
                : new CommitToken(open.number() - 1, Integer.MAX_VALUE);
    }

    @Override
    public void close() {
        Versions.Version mine = version;
        version = null;
        if (mine != null) {
            versions.unpin(mine);
        }
    }
}
