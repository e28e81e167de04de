package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write words, each to rows of its own, one after the other, and remember what was acknowledged.
 *
 * <p>A write that failed may have happened or not, so a row may have what such a write said. Readers look up words at the
 * same time; what they find must be what a row had at some time during the look-up.
 */
final class KillWriters implements AutoCloseable {

    private static final int WRITERS = 3;
    private static final int ROWS_EACH = 30;
    private static final int WORDS = 12;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String NONE = "";

    private final IndexedWords words;
    private final Map<String, RowModel> rows = new HashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    // Clients hold the read lock during an operation, so that whoever has the write lock is alone.
    private final ReentrantReadWriteLock pause = new ReentrantReadWriteLock(true);
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong lookUps = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean ended;

    /** What a row may hold; {@code NONE} where it has no word. */
    private static final class RowModel {

        private String word = NONE;
        private final Set<String> possible = new HashSet<>();
        private long changes;
        private boolean changing;

        synchronized void begin() {
            changing = true;
            changes++;
        }

        synchronized void acknowledged(String newWord) {
            word = newWord;
            changing = false;
        }

        /** From now on the row may have that, since nobody knows when a lost write arrives. */
        synchronized void unknown(String newWord) {
            possible.add(newWord);
            changing = false;
        }

        synchronized boolean allows(String found) {
            return found.equals(word) || possible.contains(found);
        }

        /** A number that changes with the row; -1 while nobody can say what it holds. */
        synchronized long certainty() {
            return changing || !possible.isEmpty() ? -1 : changes;
        }

        synchronized String word() {
            return word;
        }
    }

    interface Step {
        void run() throws Exception;
    }

    private KillWriters(IndexedWords words) {
        this.words = words;
    }

    static KillWriters start(IndexedWords words, long seed) {
        var writers = new KillWriters(words);
        for (int writer = 0; writer < WRITERS; writer++) {
            for (int row = 0; row < ROWS_EACH; row++) {
                writers.rows.put(row(writer, row), new RowModel());
            }
        }
        for (int writer = 0; writer < WRITERS; writer++) {
            var random = new Random(seed + writer);
            int number = writer;
            writers.thread("writer-" + writer, () -> writers.write(number, random));
        }
        var random = new Random(seed - 1);
        writers.thread("reader", () -> writers.read(random));
        writers.threads.forEach(Thread::start);
        return writers;
    }

    private void thread(String name, Step step) {
        var thread = new Thread(
                () -> {
                    while (!ended && failure.get() == null) {
                        pause.readLock().lock();
                        try {
                            step.run();
                        } catch (Exception | AssertionError e) {
                            failure.compareAndSet(null, e);
                        } finally {
                            pause.readLock().unlock();
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
    }

    private static String row(int writer, int row) {
        return "r" + writer + "-" + row;
    }

    private void write(int writer, RandomGenerator random) {
        String row = row(writer, random.nextInt(ROWS_EACH));
        String word = random.nextInt(8) == 0 ? NONE : "w" + random.nextInt(WORDS);
        RowModel model = model(row);
        model.begin();
        try {
            if (word.equals(NONE)) {
                words.delete(row);
            } else {
                words.put(row, word);
            }
            model.acknowledged(word);
            acknowledged.incrementAndGet();
        } catch (IOException e) {
            model.unknown(word);
            unknown.incrementAndGet();
        }
    }

    private RowModel model(String row) {
        RowModel model = rows.get(row);
        if (model == null) {
            throw new AssertionError("nobody wrote the row " + row);
        }
        return model;
    }

    /** Whatever row did not change meanwhile is found exactly by the word that it has. */
    private void read(RandomGenerator random) {
        String word = "w" + random.nextInt(WORDS);
        var before = new HashMap<String, Long>();
        rows.forEach((row, model) -> before.put(row, model.certainty()));
        List<String> found;
        try {
            found = words.rows(word);
        } catch (IOException e) {
            // No answer is not a wrong one.
            return;
        }
        found.forEach(this::model);
        rows.forEach((row, model) -> {
            String has = model.word();
            if (!before.get(row).equals(-1L) && before.get(row).equals(model.certainty())) {
                assertThat(found.contains(row))
                        .as("row " + row + ", which has " + has + ", found by " + word)
                        .isEqualTo(has.equals(word));
            }
        });
        lookUps.incrementAndGet();
    }

    /** Waits until so many more writes were acknowledged. */
    void awaitAcknowledged(int more) {
        long target = acknowledged.get() + more;
        await("writes").atMost(PATIENCE).until(() -> failure.get() != null || acknowledged.get() >= target);
        requireNoFailure();
    }

    /** Alone: nobody writes and nobody reads. */
    void whilePaused(Step step) throws Exception {
        assertThat(pause.writeLock().tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("clients finish their operation")
                .isTrue();
        try {
            step.run();
        } finally {
            pause.writeLock().unlock();
        }
    }

    void requireNoFailure() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError("a client failed", failed);
        }
    }

    /** The content of the table, as {@code word/row@timestamp}, is what the clients wrote. */
    void requireAcknowledged(List<String> visible) {
        var content = new HashMap<String, String>();
        for (String place : visible) {
            int slash = place.indexOf('/');
            content.put(place.substring(slash + 1, place.indexOf('@')), place.substring(0, slash));
        }
        rows.forEach((row, model) -> {
            String found = content.getOrDefault(row, NONE);
            assertThat(model.allows(found))
                    .as("row " + row + " has '" + found + "', acknowledged was '" + model.word() + "'")
                    .isTrue();
        });
    }

    String progress() {
        return acknowledged + " writes acknowledged, " + unknown + " of unknown outcome, " + lookUps + " look-ups";
    }

    @Override
    public void close() {
        ended = true;
        try {
            for (Thread thread : threads) {
                thread.join(PATIENCE.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
