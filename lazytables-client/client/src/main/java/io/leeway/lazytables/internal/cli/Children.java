package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Processes that end together: none is started that the end does not know of. Thread-safe. */
final class Children {

    private final List<Child> children = new ArrayList<>();
    private boolean ending;

    /**
     * Starts one more.
     *
     * <p>Under the lock, so that it is either among those that are ended or not started at all.
     *
     * @throws LazyTablesException if all were told to end
     */
    synchronized Child start(Supplier<Child> starting) {
        if (ending) {
            throw LazyTablesException.of(Code.FAILED, "No process is started any more: all were told to end");
        }
        Child child = starting.get();
        children.add(child);
        return child;
    }

    /**
     * Ends all, also one that is being started, and waits until they have ended. Once more does nothing.
     *
     * <p>All are told first, and then waited for: one after the other they would take as many times the patience as
     * there are.
     */
    void end() {
        List<Child> all;
        synchronized (this) {
            ending = true;
            all = List.copyOf(children);
        }
        all.forEach(Child::tellToEnd);
        all.forEach(Child::awaitEnd);
    }
}
