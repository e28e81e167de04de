package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.column.KeyRange;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A renewal of the authority that is under way: ranges of primary views first, which gives the changes of secondary views; when all are
 * known, ranges of these. Whoever has nothing to do takes a range; the coordinator logs the whole when the last one is done. Guarded by
 * the coordinator.
 */
final class Renewal {

    /** A renewal is cut into so many ranges of a view at most. */
    private static final int RANGES = 8;

    private static final int ATTEMPTS = 4;

    final List<Flight> inputs;
    private final State state;
    private final LongSupplier numbers;
    private final Deque<Task.Renew> waiting = new ArrayDeque<>();
    private final List<String> dropped = new ArrayList<>();
    private final Map<Integer, List<RunInfo>> parts = new HashMap<>();
    private final Map<Integer, List<RunInfo>> changes = new HashMap<>();
    private boolean secondary;
    private int running;
    private int failures;
    private long cpuNanos;

    Renewal(State state, List<Flight> inputs, LongSupplier numbers) {
        this.state = state;
        this.inputs = inputs;
        this.numbers = numbers;
        for (Table table : state.catalog().tables()) {
            var runs = new ArrayList<RunInfo>();
            for (Flight flight : inputs) {
                RunInfo run = flight.runs().get(table.id());
                if (run != null) {
                    runs.add(run);
                }
            }
            add(table, table.primary(), runs);
        }
        beginSecondary();
    }

    /** Cuts a view into ranges; files that no run touches are in some range and stay. */
    private void add(Table table, View view, List<RunInfo> runs) {
        if (runs.isEmpty()) {
            return;
        }
        List<RunInfo> old = state.partsOf(view.id());
        var touched = new ArrayList<Integer>();
        for (int i = 0; i < old.size(); i++) {
            var range = new KeyRange(
                    i == 0 ? null : old.get(i).min(),
                    i + 1 == old.size() ? null : old.get(i + 1).min());
            if (runs.stream().anyMatch(run -> range.overlaps(run.min(), run.max()))) {
                touched.add(i);
            }
        }
        int ranges = Math.max(1, Math.min(RANGES, touched.size()));
        int begin = 0;
        for (int range = 0; range < ranges; range++) {
            int end = range + 1 == ranges ? old.size() : touched.get((range + 1) * touched.size() / ranges);
            byte[] from = range == 0 ? null : old.get(begin).min();
            byte[] to = range + 1 == ranges ? null : old.get(end).min();
            waiting.add(new Task.Renew(
                    numbers.getAsLong(),
                    List.of(table),
                    view.id(),
                    overlapping(runs, new KeyRange(from, to)),
                    old.subList(begin, end),
                    from,
                    to));
            begin = end;
        }
    }

    private static List<RunInfo> overlapping(List<RunInfo> runs, KeyRange range) {
        return runs.stream().filter(run -> range.overlaps(run.min(), run.max())).toList();
    }

    private void beginSecondary() {
        if (secondary || running > 0 || !waiting.isEmpty()) {
            return;
        }
        secondary = true;
        for (Table table : state.catalog().tables()) {
            for (View view : table.views().subList(1, table.views().size())) {
                add(table, view, changes.getOrDefault(view.id(), List.of()));
            }
        }
    }

    /** A range that nobody has taken, or null. */
    Task.@Nullable Renew take() {
        Task.Renew task = waiting.poll();
        if (task != null) {
            running++;
        }
        return task;
    }

    /** A range is done. */
    void done(Task.Renew task, Task.Done done) {
        running--;
        dropped.addAll(done.dropped());
        cpuNanos += done.cpuNanos();
        done.runs().forEach((view, runs) -> {
            Map<Integer, List<RunInfo>> to = view == task.view() ? parts : changes;
            to.computeIfAbsent(view, none -> new ArrayList<>()).addAll(runs);
        });
        beginSecondary();
    }

    /** A range was not done: somebody else takes it, under another number, since it is not known whether the first one has ended. */
    void failed(Task.Renew task) {
        running--;
        failures++;
        waiting.addFirst(new Task.Renew(
                numbers.getAsLong(), task.tables(), task.view(), task.inputs(), task.old(), task.from(), task.to()));
    }

    /** Whether everything is done. */
    boolean isDone() {
        return secondary && running == 0 && waiting.isEmpty();
    }

    /** Whether it failed so often that it is better begun anew: a table may have been dropped meanwhile. */
    boolean isLost() {
        return failures >= ATTEMPTS && running == 0;
    }

    List<String> dropped() {
        return dropped;
    }

    /** New files of the authority by the number of the view. */
    Map<Integer, List<RunInfo>> parts() {
        return parts;
    }

    long cpuNanos() {
        return cpuNanos;
    }

    /** Files that nobody needs when it is over: changes, and if it is lost also what was made of them. */
    List<String> leftovers() {
        var names = new ArrayList<String>();
        changes.values().forEach(runs -> runs.forEach(run -> names.add(run.file())));
        if (!isDone()) {
            parts.values().forEach(runs -> runs.forEach(run -> names.add(run.file())));
        }
        return names;
    }
}
