package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Value;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The context that was given to a connection, and the request that it makes. Thread-safe.
 *
 * <p>Parameters that are set one after the other before the first statement belong to one identity. Setting one after a
 * statement, or setting one again, is a new identity: everything from before is dropped, also parameters that are not
 * set again. So a pooled connection never mixes two identities, and what the new one does not say is missing rather
 * than taken over.
 *
 * <p>This is for applications that give the identity by client info or by a text, one parameter after the other, where
 * nobody says when a request begins. To mistake a new identity for a part of the old one would let a user's facts open
 * another's rows.
 */
public final class ConnectionScope {

    private final Map<String, Value> preset;
    private final Map<String, Value> given = new HashMap<>();
    private boolean used;
    private @Nullable RequestScope request;

    /** A scope with the parameters that the connection was opened with; they hold whenever no others are given. */
    public ConnectionScope(Map<String, Value> preset) {
        this.preset = Map.copyOf(preset);
    }

    /** Gives a parameter. */
    public synchronized void set(String name, Value value) {
        if (used || given.containsKey(name)) {
            given.clear();
        }
        given.put(name, value);
        restart();
    }

    /**
     * Takes a parameter back: what was read with it is dropped.
     *
     * <p>What was read as somebody must not stay when that is taken back.
     */
    public synchronized void remove(String name) {
        if (given.remove(name) != null) {
            restart();
        }
    }

    /** Replaces all parameters. */
    public synchronized void replace(Map<String, Value> parameters) {
        given.clear();
        given.putAll(parameters);
        restart();
    }

    /**
     * Ends the request; parameters given since the connection was opened are dropped.
     *
     * <p>A pool gives the connection to somebody else, whose identity is not known yet: the next one has the preset or
     * nothing.
     */
    public synchronized void end() {
        given.clear();
        restart();
    }

    /** The parameters that hold now. */
    public synchronized Map<String, Value> context() {
        return Map.copyOf(given.isEmpty() ? preset : given);
    }

    /** The request for a statement; null if there is no context. */
    public synchronized @Nullable RequestScope use() {
        if (request == null && !(given.isEmpty() && preset.isEmpty())) {
            request = new RequestScope(context());
        }
        // From here on a parameter is a new identity, as something may have been read.
        used = request != null;
        return request;
    }

    /** The same without a statement following. */
    public synchronized boolean isEmpty() {
        return given.isEmpty() && preset.isEmpty();
    }

    private void restart() {
        if (request != null) {
            request.end();
        }
        request = null;
        used = false;
    }
}
