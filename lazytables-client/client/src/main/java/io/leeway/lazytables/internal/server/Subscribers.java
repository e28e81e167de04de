package io.leeway.lazytables.internal.server;

import java.util.ArrayList;
import java.util.List;

/** The clients that have a row and want to be sent it when it has changed. */
final class Subscribers {

    final long key;
    private final List<Subscription> all = new ArrayList<>(2);
    private boolean changed;

    Subscribers(long key) {
        this.key = key;
    }

    /**
     * To be gone through. Who goes through it must not add or take out any: nothing that is sent there does.
     */
    List<Subscription> all() {
        return all;
    }

    void add(Subscription subscription) {
        subscription.at = all.size();
        all.add(subscription);
    }

    /**
     * Takes one out, which each knows its place for; returns whether none is left. In which order they are says
     * nothing.
     */
    boolean remove(Subscription subscription) {
        // The last one takes its place, so that it costs the same however many processes have the row.
        Subscription last = all.remove(all.size() - 1);
        if (last != subscription) {
            all.set(subscription.at, last);
            last.at = subscription.at;
        }
        return all.isEmpty();
    }

    /**
     * Takes note that the row may have changed; returns whether that is news. Only the first change puts the row into
     * its table's list.
     */
    boolean change() {
        boolean news = !changed;
        changed = true;
        return news;
    }

    boolean isChanged() {
        return changed;
    }

    /** What changed until now is sent. */
    void sent() {
        changed = false;
    }
}
