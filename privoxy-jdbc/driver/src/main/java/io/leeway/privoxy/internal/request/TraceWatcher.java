package io.leeway.privoxy.internal.request;

/**
 * Is told what becomes doubtful in a trace, other than by the writes of its own request. Called under the trace's lock:
 * to be quick, and not to call back.
 *
 * <p>It exists for recordings: to decide a recorded statement anew one has to know what the request had forgotten by
 * then.
 */
public interface TraceWatcher {

    /** The mark before all others. */
    long BEGINNING = 0;

    /** A point in time was named to which a rollback may lead back. */
    void marked(long mark);

    /** What was read since a mark is forgotten. */
    void forgottenSince(long mark);

    /** The request has ended. */
    void ended();
}
