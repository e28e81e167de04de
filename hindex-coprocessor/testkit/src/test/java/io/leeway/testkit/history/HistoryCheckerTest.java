package io.leeway.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import io.leeway.testkit.history.Operation.ReadKey;
import io.leeway.testkit.history.Operation.ReadValue;
import io.leeway.testkit.history.Operation.Write;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HistoryCheckerTest {

    private static final String[] VALUES = {"a", "b", "c"};

    @Test
    void whatWasWrittenBeforeIsRead() {
        assertGood(write("k", "a", 1, 2), readValue("a", 3, 4, "k"), readValue("b", 5, 6), readKey("k", "a", 7, 8));
    }

    @Test
    void aLostEntryIsFound() {
        assertBad("read other than a from 3 to 4", write("k", "a", 1, 2), readValue("a", 3, 4));
    }

    @Test
    void anObsoleteRowIsFound() {
        assertBad("read a from 5 to 6", write("k", "a", 1, 2), write("k", "b", 3, 4), readValue("a", 5, 6, "k"));
    }

    @Test
    void aRowThatWasDeletedIsFound() {
        assertBad("read a from 5 to 6", write("k", "a", 1, 2), write("k", null, 3, 4), readValue("a", 5, 6, "k"));
    }

    @Test
    void aRowThatWasNeverWrittenIsFound() {
        assertBad("read a from 1 to 2", readValue("a", 1, 2, "k"));
    }

    @Test
    void aValueFromTheFutureIsFound() {
        assertBad("read a from 1 to 2", readValue("a", 1, 2, "k"), write("k", "a", 3, 4));
    }

    @Test
    void aWriteUnderWayMayBeSeenOrNot() {
        assertGood(write("k", "a", 1, 4), readValue("a", 2, 3, "k"));
        assertGood(write("k", "a", 1, 4), readValue("a", 2, 3));
    }

    @Test
    void onceSeenIsNotUnseen() {
        assertBad(
                "read other than a from 4 to 5",
                write("k", "a", 1, 6),
                readValue("a", 2, 3, "k"),
                readValue("a", 4, 5));
    }

    @Test
    void aWriteOfUnknownFateMayBeSeenLateOrNever() {
        assertGood(lost("k", "a", 1, 2), readValue("a", 3, 4), readValue("a", 5, 6, "k"));
        assertGood(lost("k", "a", 1, 2), readValue("a", 3, 4));
        assertBad(
                "read a from 7 to 8",
                lost("k", "a", 1, 2),
                readValue("a", 3, 4, "k"),
                write("k", "b", 5, 6),
                readValue("a", 7, 8, "k"));
    }

    @Test
    void writesAtTheSameTimeAreInOneOrderForAllReaders() {
        Operation[] writes = {write("k", "a", 1, 10), write("k", "b", 2, 11)};
        assertGood(writes[0], writes[1], readKey("k", "a", 12, 13), readKey("k", "a", 14, 15));
        assertGood(writes[0], writes[1], readKey("k", "b", 12, 13));
        assertBad("read b from 14 to 15", writes[0], writes[1], readKey("k", "a", 12, 13), readKey("k", "b", 14, 15));
    }

    @Test
    void aWriteMayBeOverwrittenUnseen() {
        assertGood(write("k", "c", 1, 10), write("k", "a", 2, 9), readKey("k", "a", 3, 4), readKey("k", "a", 11, 12));
    }

    @Test
    void keysAreReadEachAtItsMoment() {
        assertGood(
                write("k", "a", 1, 2),
                write("l", "b", 3, 4),
                write("k", "b", 6, 7),
                write("l", "a", 8, 9),
                readValue("a", 5, 10, "k", "l"));
    }

    /** Small histories, good and bad, against all orders that there are. */
    @Test
    void agreesWithTryingAllOrders() {
        var random = new Random(Seeds.seed("small histories"));
        int good = 0;
        int rounds = 5_000;
        for (int i = 0; i < rounds; i++) {
            List<Operation> history = smallHistory(random);
            boolean explained = tryAll(history, new HashSet<>(), null);
            assertThat(HistoryChecker.check(history).isEmpty())
                    .as("%s", history)
                    .isEqualTo(explained);
            good += explained ? 1 : 0;
        }
        assertThat(good).isBetween(rounds / 20, rounds - rounds / 20);
    }

    /** A store that works, with calls that overlap, some of them lost: a hundred thousand operations, then one wrong answer. */
    @Test
    void longHistoriesAreExplainedUntilOneAnswerIsWrong() {
        var random = new Random(Seeds.seed("long history"));
        List<Operation> history = longHistory(random, 100_000);

        assertThat(HistoryChecker.check(history)).isEmpty();

        int at = -1;
        for (int i = history.size() / 2; at < 0; i++) {
            at = history.get(i) instanceof ReadValue read && read.value().equals("unused") ? i : -1;
        }
        var read = (ReadValue) history.get(at);
        history.set(at, new ReadValue("unused", Set.of("k3"), read.invoked(), read.returned()));
        assertThat(HistoryChecker.check(history)).singleElement().asString().startsWith("key k3: nothing explains");
    }

    @Test
    void theRecorderKeepsCallsAndReturnsInOrder() {
        var history = new History();
        long call = history.now();
        history.wrote("k", "a", call);
        history.mayHaveWritten("k", null, history.now());
        history.readKey("k", "a", history.now());
        history.readValue("a", Set.of("k"), history.now());

        assertThat(HistoryChecker.check(history.operations())).isEmpty();
        assertThat(HistoryChecker.summary(history.operations()))
                .isEqualTo(Map.of("Write", 2, "ReadKey", 1, "ReadValue", 1));
        assertThat(history.operations()).allMatch(operation -> operation.invoked() < operation.returned());
    }

    /** One key, up to seven operations that overlap at random. */
    private static List<Operation> smallHistory(Random random) {
        int count = 2 + random.nextInt(6);
        var moments = new ArrayList<Long>();
        for (long i = 0; i < 2L * count; i++) {
            moments.add(i);
        }
        Collections.shuffle(moments, random);
        var history = new ArrayList<Operation>();
        for (int i = 0; i < count; i++) {
            long one = moments.get(2 * i);
            long other = moments.get(2 * i + 1);
            long from = Math.min(one, other);
            long to = Math.max(one, other);
            String value = VALUES[random.nextInt(VALUES.length)];
            switch (random.nextInt(6)) {
                case 0, 1 -> history.add(write("k", random.nextInt(5) == 0 ? null : value, from, to));
                case 2 -> history.add(lost("k", value, from, to));
                case 3 -> history.add(readKey("k", random.nextInt(3) == 0 ? null : value, from, to));
                case 4 -> history.add(readValue(value, from, to, "k"));
                default -> history.add(readValue(value, from, to));
            }
        }
        return history;
    }

    /** Whether some order of the operations that are left explains all reads; writes of unknown fate may be left out. */
    private static boolean tryAll(List<Operation> history, Set<Operation> done, @Nullable String value) {
        if (history.stream().filter(HistoryCheckerTest::isCertain).allMatch(done::contains)) {
            return true;
        }
        for (Operation next : history) {
            boolean tooEarly = history.stream()
                    .anyMatch(other -> !done.contains(other)
                            && isCertain(other)
                            && other != next
                            && other.returned() < next.invoked());
            if (done.contains(next) || tooEarly || !explains(next, value)) {
                continue;
            }
            done.add(next);
            boolean explained = tryAll(history, done, next instanceof Write write ? write.value() : value);
            done.remove(next);
            if (explained) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCertain(Operation operation) {
        return !(operation instanceof Write write) || write.acknowledged();
    }

    private static boolean explains(Operation operation, @Nullable String value) {
        if (operation instanceof ReadKey read) {
            return Objects.equals(read.value(), value);
        }
        return !(operation instanceof ReadValue read)
                || read.value().equals(value) == read.keys().contains("k");
    }

    /** Eight clients on a store; each call takes effect between its call and its return, lost writes sometimes much later. */
    private static List<Operation> longHistory(Random random, int count) {
        var history = new ArrayList<Operation>();
        var store = new HashMap<String, String>();
        var calls = new ArrayList<Runnable>();
        var clock = new History();
        while (history.size() < count) {
            if (calls.size() < 8 && random.nextBoolean()) {
                calls.add(call(random, clock, store, history, calls));
            } else if (!calls.isEmpty()) {
                calls.remove(random.nextInt(calls.size())).run();
            }
        }
        return history;
    }

    private static Runnable call(
            Random random, History clock, Map<String, String> store, List<Operation> history, List<Runnable> calls) {
        long from = clock.now();
        String key = "k" + random.nextInt(10);
        String value = VALUES[random.nextInt(VALUES.length)];
        int kind = random.nextInt(1_000);
        if (kind < 5) {
            boolean happens = random.nextBoolean();
            return () -> {
                history.add(lost(key, value, from, clock.now()));
                if (happens) {
                    calls.add(() -> store.put(key, value));
                }
            };
        }
        if (kind < 600) {
            return () -> {
                store.put(key, value);
                calls.add(() -> history.add(write(key, value, from, clock.now())));
            };
        }
        String asked = kind < 605 ? "unused" : value;
        return () -> {
            var keys = new HashSet<String>();
            store.forEach((each, current) -> {
                if (current.equals(asked)) {
                    keys.add(each);
                }
            });
            calls.add(() -> history.add(new ReadValue(asked, keys, from, clock.now())));
        };
    }

    private static void assertGood(Operation... history) {
        assertThat(HistoryChecker.check(List.of(history))).isEmpty();
    }

    private static void assertBad(String what, Operation... history) {
        assertThat(HistoryChecker.check(List.of(history)))
                .singleElement()
                .asString()
                .contains("nothing explains '" + what);
    }

    private static Operation write(String key, @Nullable String value, long from, long to) {
        return new Write(key, value, true, from, to);
    }

    private static Operation lost(String key, @Nullable String value, long from, long to) {
        return new Write(key, value, false, from, to);
    }

    private static Operation readKey(String key, @Nullable String value, long from, long to) {
        return new ReadKey(key, value, from, to);
    }

    private static Operation readValue(String value, long from, long to, String... keys) {
        return new ReadValue(value, Set.of(keys), from, to);
    }
}
