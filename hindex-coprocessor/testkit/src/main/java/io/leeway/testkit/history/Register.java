package io.leeway.testkit.history;

import io.leeway.testkit.history.HistoryChecker.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks one key: goes through calls and returns in time and keeps every state that the register may be in.
 *
 * <p><b>Lazily.</b> A write takes effect only when something needs it: its own return, or the return of a read that nothing
 * explains yet. Taking effect earlier could not explain more: reads that are under way see every value that comes by.
 *
 * <p><b>Overwritten unseen.</b> A write that was under way when another took effect may have taken effect just before that
 * one. Nobody need have seen it. So on its return there are two states: it did, or it takes effect now.
 *
 * <p><b>Cost.</b> A state is a value and sets of operations that are under way, so there are few, and they are forgotten at the
 * returns. Writes of unknown fate stay for ever, but those of one value are alike, and a state that has used more of them than another and is otherwise the same
 * explains nothing more and is dropped. Reads that every state explains at their call, which are most, cost one look.
 */
final class Register {

    private static final int MAX_STATES = 100_000;
    private static final int TOLD = 8;

    private final String key;
    private final Set<Access> underWay = new LinkedHashSet<>();
    private final Map<@Nullable String, List<Access>> unknown = new HashMap<>();
    private final ArrayDeque<Access> recent = new ArrayDeque<>();
    private Set<State> states = Set.of(new State(null, Set.of(), Set.of(), Set.of()));

    Register(String key) {
        this.key = key;
    }

    /** What cannot be explained, or an empty text. */
    String check(List<Event> events) {
        for (Event event : events) {
            Access access = event.access();
            if (event.call()) {
                call(access);
            } else if (underWay.contains(access)) {
                remember(access);
                states = smallest(returns(access));
                underWay.remove(access);
                if (states.isEmpty()) {
                    return told(access);
                }
            }
        }
        return "";
    }

    private void call(Access access) {
        if (access.isWrite()) {
            if (access.mustReturn()) {
                underWay.add(access);
            } else {
                unknown.computeIfAbsent(access.value(), value -> new ArrayList<>())
                        .add(access);
            }
            return;
        }
        if (states.stream().allMatch(state -> access.explainedBy(state.value))) {
            // Explained in every state: nothing to wait for.
            return;
        }
        underWay.add(access);
        var next = new HashSet<State>();
        for (State state : states) {
            next.add(access.explainedBy(state.value) ? state.explaining(access) : state);
        }
        states = next;
    }

    /** The states after an operation has returned, which must have taken effect. */
    private Set<State> returns(Access access) {
        var next = new HashSet<State>();
        for (State state : states) {
            if (state.done.contains(access)) {
                next.add(state.without(access));
            } else if (access.isWrite()) {
                if (state.overwritten.contains(access)) {
                    next.add(state.without(access));
                }
                explore(state, access, next);
            } else {
                explore(state, access, next);
            }
        }
        return next;
    }

    /**
     * All ways to let writes take effect until the operation has: it is the last, and each before it explains a read that
     * nothing has explained yet.
     */
    private void explore(State from, Access access, Set<State> found) {
        var seen = new HashSet<State>();
        var open = new ArrayDeque<State>();
        open.add(from);
        while (!open.isEmpty()) {
            State state = open.poll();
            for (Access write : choices(state)) {
                State after = state.after(write, underWay);
                boolean last = access.isWrite() ? write == access : after.done.contains(access);
                if (last) {
                    found.add(after.without(access));
                }
                // Going on beyond the last would be too early.
                if (!last && after.explains(state) && seen.add(after)) {
                    open.add(after);
                }
            }
            if (found.size() > MAX_STATES) {
                throw new IllegalStateException("key " + key + " has more than " + MAX_STATES
                        + " possible states; record fewer threads, or more keys");
            }
        }
    }

    /** The writes that may take effect next; of those of unknown fate and one value the oldest, as all can do the same. */
    private List<Access> choices(State state) {
        var choices = new ArrayList<Access>();
        for (Access each : underWay) {
            if (each.isWrite() && each.mustReturn() && !state.done.contains(each)) {
                choices.add(each);
            }
        }
        for (List<Access> alike : unknown.values()) {
            alike.stream()
                    .filter(each -> !state.used.contains(each))
                    .findFirst()
                    .ifPresent(choices::add);
        }
        return choices;
    }

    /** Without states that another one, with fewer writes of unknown fate used up, makes superfluous. */
    private static Set<State> smallest(Set<State> all) {
        if (all.size() < 2) {
            return all;
        }
        return all.stream()
                .filter(state -> all.stream().noneMatch(other -> !other.equals(state) && other.covers(state)))
                .collect(Collectors.toSet());
    }

    private void remember(Access access) {
        recent.add(access);
        if (recent.size() > TOLD) {
            recent.remove();
        }
    }

    private String told(Access access) {
        var text = new StringBuilder("key " + key + ": nothing explains '" + access + "'. Before it returned: ");
        text.append(recent.stream().map(Access::toString).collect(Collectors.joining("; ")));
        var pending = new ArrayList<Access>(underWay);
        return text.append(". Under way: ").append(pending).toString();
    }

    /**
     * A state that the register may be in. Operations are those under way.
     *
     * @param value what it holds
     * @param done operations that took effect, but for writes of unknown fate
     * @param overwritten writes that may have taken effect just before another one
     * @param used writes of unknown fate that took effect
     */
    private record State(@Nullable String value, Set<Access> done, Set<Access> overwritten, Set<Access> used) {

        State explaining(Access read) {
            return new State(value, with(done, read), overwritten, used);
        }

        State without(Access access) {
            return new State(value, less(done, access), less(overwritten, access), used);
        }

        /** After a write took effect: reads under way see it, writes under way may have been before it. */
        State after(Access write, Set<Access> underWay) {
            var newDone = new HashSet<>(done);
            if (write.mustReturn()) {
                newDone.add(write);
            }
            var newOverwritten = new HashSet<Access>();
            for (Access each : underWay) {
                if (!each.isWrite() && each.explainedBy(write.value())) {
                    newDone.add(each);
                } else if (each.isWrite() && !newDone.contains(each)) {
                    newOverwritten.add(each);
                }
            }
            return new State(write.value(), newDone, newOverwritten, write.mustReturn() ? used : with(used, write));
        }

        /** Whether a read is explained that was not before. */
        boolean explains(State before) {
            return done.stream().anyMatch(each -> !each.isWrite() && !before.done.contains(each));
        }

        /** Whether this one, which is another, can explain whatever the other can. */
        boolean covers(State other) {
            return Objects.equals(value, other.value)
                    && other.used.containsAll(used)
                    && overwritten.containsAll(other.overwritten)
                    && done.containsAll(other.done)
                    && done.stream().noneMatch(each -> each.isWrite() && !other.done.contains(each));
        }

        private static Set<Access> with(Set<Access> set, Access access) {
            var larger = new HashSet<>(set);
            larger.add(access);
            return larger;
        }

        private static Set<Access> less(Set<Access> set, Access access) {
            if (!set.contains(access)) {
                return set;
            }
            var smaller = new HashSet<>(set);
            smaller.remove(access);
            return smaller;
        }
    }
}
