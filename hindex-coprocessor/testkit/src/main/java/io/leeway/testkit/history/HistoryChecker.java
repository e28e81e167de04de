package io.leeway.testkit.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides whether every read of a history can be explained.
 *
 * <p><b>Model.</b> Every key is a register of its own; it has no value at first. Each operation takes effect at one moment
 * between its call and its return. An acknowledged write has happened when it returns; any other may happen at any moment after
 * its call, or never. A read by value is one read for each key, each at a moment of its own: whether it is in the answer says
 * whether the key had the value then. So a row that changes during a call may be seen before or after the change, but a value
 * that was overwritten before the call, or written after the return, may not be seen, and one that was there all the time must.
 *
 * <p>Histories are checked key by key; keys are independent of each other. See {@link Register} for how, and what it costs.
 */
public final class HistoryChecker {

    private HistoryChecker() {}

    /** What cannot be explained, one text for each key, with the operations around it; empty if all can. */
    public static List<String> check(List<Operation> history) {
        var faults = new ArrayList<String>();
        for (String key : keys(history)) {
            List<Event> events = events(key, history);
            events.sort(Comparator.comparingLong(Event::at));
            String fault = new Register(key).check(events);
            if (!fault.isEmpty()) {
                faults.add(fault);
            }
        }
        return faults;
    }

    private static Set<String> keys(List<Operation> history) {
        var keys = new TreeSet<String>();
        for (Operation operation : history) {
            if (operation instanceof Operation.Write write) {
                keys.add(write.key());
            } else if (operation instanceof Operation.ReadKey read) {
                keys.add(read.key());
            } else if (operation instanceof Operation.ReadValue read) {
                keys.addAll(read.keys());
            }
        }
        return keys;
    }

    /** What concerns one key, as moments of calls and returns. */
    private static List<Event> events(String key, List<Operation> history) {
        var events = new ArrayList<Event>();
        for (Operation operation : history) {
            Access access = Access.of(key, operation);
            if (access != null) {
                events.add(new Event(operation.invoked(), access, true));
                if (access.mustReturn()) {
                    events.add(new Event(operation.returned(), access, false));
                }
            }
        }
        return events;
    }

    /** How many operations there are of each kind, for the log of a test. */
    public static Map<String, Integer> summary(List<Operation> history) {
        var counts = new TreeMap<String, Integer>();
        history.forEach(operation -> counts.merge(operation.getClass().getSimpleName(), 1, Integer::sum));
        return counts;
    }

    /**
     * A call or a return.
     *
     * @param at when
     * @param access of what
     * @param call whether it is the call
     */
    record Event(long at, Access access, boolean call) {}
}
