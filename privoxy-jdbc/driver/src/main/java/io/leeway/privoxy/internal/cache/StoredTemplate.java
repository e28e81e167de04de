package io.leeway.privoxy.internal.cache;

import java.util.concurrent.atomic.LongAdder;

/** A template in a store, with how often and how recently it was of use. Thread-safe. */
public final class StoredTemplate {

    private final CompiledTemplate program;
    private final boolean reviewed;
    private final LongAdder hits = new LongAdder();
    /** The store's tick at the last hit; written by a race, as any recent value will do. */
    private int lastUse;

    StoredTemplate(CompiledTemplate program, boolean reviewed, int tick) {
        this.program = program;
        this.reviewed = reviewed;
        this.lastUse = tick;
    }

    /** What it says. */
    public Template template() {
        return program.template();
    }

    /** Whether it came from a reviewed file; such a template is never dropped to make room. */
    public boolean isReviewed() {
        return reviewed;
    }

    /** How many decisions it made. */
    public long hits() {
        return hits.sum();
    }

    CompiledTemplate program() {
        return program;
    }

    int lastUse() {
        return lastUse;
    }

    void hit(int tick) {
        hits.increment();
        // A write only when something was inserted since: all threads would otherwise write one cache line with
        // every statement.
        if (lastUse != tick) {
            lastUse = tick;
        }
    }
}
