package io.leeway.hindex.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PendingEntriesTest {

    private static final int BATCHES = 5;

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private @Nullable PendingEntries pending;

    /** Else no mark says during hours of load how far the entries are, and all of it is read again after a crash. */
    @Test
    void tellsThatItHasSentAlsoWhenThereIsAlwaysMore() throws Exception {
        var under = new PendingEntries(10, entries -> send(), () -> thread, () -> events.add("told"), more -> {});
        pending = under;

        give(under);
        while (events.stream().filter("sent"::equals).count() < BATCHES) {
            assertThat(under.await(60_000)).isTrue();
        }
        thread.shutdown();
        assertThat(thread.awaitTermination(1, TimeUnit.MINUTES)).isTrue();

        assertThat(events.indexOf("told")).isBetween(1, events.lastIndexOf("sent") - 1);
    }

    @Test
    void triesAgainWhateverItWasThatFailed() throws Exception {
        var failures = new ArrayDeque<Throwable>(List.of(
                new NoClassDefFoundError("of a jar that was replaced"),
                new OutOfMemoryError("unable to create native thread"),
                new IllegalStateException("a fault"),
                new IOException("the index does not answer")));
        var under = new PendingEntries(
                10,
                entries -> {
                    Throwable failure = failures.poll();
                    if (failure instanceof Error error) {
                        throw error;
                    } else if (failure instanceof RuntimeException fault) {
                        throw fault;
                    } else if (failure instanceof IOException unanswered) {
                        throw unanswered;
                    }
                    events.add("sent");
                },
                () -> thread,
                () -> {},
                more -> {});

        give(under);

        assertThat(under.await(60_000)).isTrue();
        assertThat(failures).isEmpty();
        assertThat(events).containsExactly("sent");
        thread.shutdown();
    }

    private static void give(PendingEntries pending) {
        PendingEntries.Ticket ticket = pending.reserve(List.of());
        assertThat(ticket).isNotNull();
        pending.give(ticket);
    }

    /** While entries are sent, the next ones come. */
    private void send() {
        events.add("sent");
        if (pending != null && events.stream().filter("sent"::equals).count() < BATCHES) {
            give(pending);
        }
    }
}
