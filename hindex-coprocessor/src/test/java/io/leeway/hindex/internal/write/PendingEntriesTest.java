package io.leeway.hindex.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PendingEntriesTest {

    private static final int BATCHES = 5;

    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
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
