package io.leeway.lazytables.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.LazyTablesException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keeps what happens, for a test that waits for it. */
class RecordingSink implements FrameSink {

    private static final long PATIENCE_SECONDS = 60;

    /** What can happen. */
    enum What {
        OPEN,
        FRAME,
        ROOM,
        CLOSED,
        UNREACHABLE
    }

    /** What happened. */
    @SuppressWarnings("ArrayRecordComponent")
    record Event(
            What what, int peer, byte[] bytes, @Nullable Throwable cause) {

        LazyTablesException.Code code() {
            assertThat(cause).isInstanceOf(LazyTablesException.class);
            return ((LazyTablesException) cause).code();
        }
    }

    /** If anybody is known, others are not. */
    private final Set<Integer> known = ConcurrentHashMap.newKeySet();

    void knows(int peer) {
        known.add(peer);
    }

    @Override
    public boolean isKnown(int peer) {
        return known.isEmpty() || known.contains(peer);
    }

    final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    /** The next event, which must be of this kind. */
    Event next(What what) {
        Event event = next();
        assertThat(event.what()).as(event.toString()).isEqualTo(what);
        return event;
    }

    /** The next event of this kind; others are passed over. */
    Event until(What what) {
        Event event = next();
        while (event.what() != what) {
            event = next();
        }
        return event;
    }

    /** The next event. */
    Event next() {
        try {
            Event event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(event).as("nothing happened").isNotNull();
            return event;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void onOpen(int peer) {
        events.add(new Event(What.OPEN, peer, new byte[0], null));
    }

    @Override
    public void onFrame(int peer, byte[] buffer, int offset, int length) {
        events.add(new Event(What.FRAME, peer, Arrays.copyOfRange(buffer, offset, offset + length), null));
    }

    @Override
    public void onClosed(int peer, @Nullable Throwable cause) {
        events.add(new Event(What.CLOSED, peer, new byte[0], cause));
    }

    @Override
    public void onRoom(int peer) {
        events.add(new Event(What.ROOM, peer, new byte[0], null));
    }

    @Override
    public void onUnreachable(int peer, Throwable cause) {
        events.add(new Event(What.UNREACHABLE, peer, new byte[0], cause));
    }
}
