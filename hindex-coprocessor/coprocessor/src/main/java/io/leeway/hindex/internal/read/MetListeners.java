package io.leeway.hindex.internal.read;

import java.util.IdentityHashMap;
import org.apache.hadoop.hbase.regionserver.Region;

/*
 * HBase shares data between the coprocessors of one class only; tables and indexes have two. Where these are loaded from
 * different paths, the regions hear nothing, which costs nothing but the compactions that they would ask for.
 */
/** The regions of this JVM that want to know what reads have met of their rows. Thread-safe. */
public final class MetListeners {

    /**
     * Replaced when a region comes or goes: all reads of a server look into it, for each row. By identity, as a region
     * that is opened again is another one.
     */
    private static volatile IdentityHashMap<Region, Listener> byRegion = new IdentityHashMap<>();

    private MetListeners() {}

    /** Is told. */
    @FunctionalInterface
    public interface Listener {
        /** Of rows in this family, so many entries were borne out, and so many not. */
        void met(byte[] family, int fresh, int stale);
    }

    /** A region that wants to know, until it is removed. */
    public static synchronized void add(Region region, Listener listener) {
        IdentityHashMap<Region, Listener> more = new IdentityHashMap<>(byRegion);
        more.put(region, listener);
        byRegion = more;
    }

    /** One that does not any more. */
    public static synchronized void remove(Region region) {
        IdentityHashMap<Region, Listener> fewer = new IdentityHashMap<>(byRegion);
        fewer.remove(region);
        byRegion = fewer;
    }

    /** In the thread of the read, so a listener must not wait for anything. */
    static void tell(Region region, byte[] family, int fresh, int stale) {
        Listener listener = byRegion.get(region);
        if (listener != null) {
            listener.met(family, fresh, stale);
        }
    }
}
