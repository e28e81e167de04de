package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.plan.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/*
 * Model: a value with a time to live of its own takes the place of older ones, as any does, and HBase drops these from the file
 * that it writes. But nothing says that they are superseded: until that file is in its place they are read again once the
 * newer value has expired, and so they are if the flush or compaction fails. So their entries stay till then, and are looked at
 * afterwards, under their rows' locks. If the server is killed in between, they stay as entries of what is not there.
 *
 * Memory: so many entries. Where there are more, the index is looked through from the lowest of their timestamps on.
 */
/**
 * Entries of versions that a flush or compaction drops although nothing lasting has superseded them. Filled while the
 * file is written, and handed over once. For one thread.
 */
public final class Overtaken {

    /** In memory while a flush or compaction runs. */
    private static final int MOST = 20_000;

    private final List<Entry> entries = new ArrayList<>();
    /** Of those that had no place: as a timestamp from which on the index is looked through. */
    private long lowestLost = Long.MAX_VALUE;

    /** None so far. */
    public Overtaken() {}

    void add(Collection<Entry> more) {
        for (Entry entry : more) {
            if (entries.size() < MOST) {
                entries.add(entry);
            } else {
                lowestLost = Math.min(lowestLost, entry.timestamp());
            }
        }
    }

    /** Their lowest timestamp; the highest number if there are none. */
    long lowest() {
        return entries.stream().mapToLong(Entry::timestamp).reduce(lowestLost, Math::min);
    }

    /** When their versions are gone. */
    void handTo(StoreRepair.Host host) {
        host.lookAt(entries);
        host.lookFrom(lowestLost);
    }
}
