package io.leeway.lazytables.internal.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what Netty's detector of leaks finds; the module's pom names it to Netty, at level paranoid. */
public final class LeakRecorder<T> extends ResourceLeakDetector<T> {

    private static final List<String> LEAKS = new CopyOnWriteArrayList<>();
    private static final int PATIENCE = 20;

    /** As Netty makes them. */
    @SuppressWarnings("deprecation")
    public LeakRecorder(Class<?> type, int interval) {
        super(type, interval);
    }

    /** As Netty made them. */
    @SuppressWarnings("deprecation")
    public LeakRecorder(Class<?> type, int interval, long most) {
        super(type, interval, most);
    }

    /** What leaked so far: the collector has to find it first, and the next buffers report it. */
    static List<String> leaks() {
        for (int i = 0; i < PATIENCE && LEAKS.isEmpty(); i++) {
            System.gc();
            ByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
        return List.copyOf(LEAKS);
    }

    /** Whether Netty uses it. */
    static boolean isWatching() {
        return ResourceLeakDetector.getLevel() == Level.PARANOID
                && LeakRecorder.class.getName().equals(System.getProperty("io.netty.customResourceLeakDetector"));
    }

    @Override
    protected boolean needReport() {
        return true;
    }

    @Override
    protected void reportTracedLeak(String type, String records) {
        LEAKS.add(type + records);
    }

    @Override
    protected void reportUntracedLeak(String type) {
        LEAKS.add(type);
    }
}
