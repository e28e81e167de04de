package io.leeway.hindex.internal.read;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the regions of an index answer. An open index of a client has one, which all of its queries share.
 * Thread-safe.
 */
public final class Endpoints {

    private static final Logger LOG = LoggerFactory.getLogger(Endpoints.class);

    /** One warning for an open index: where regions do not answer they do so for every page. */
    private final AtomicBoolean warned = new AtomicBoolean();
    /**
     * Whether a region has said that it has no endpoint. That does not pass, unlike all other failures, so nobody is
     * asked again.
     */
    private volatile boolean absent;

    /** They may. */
    public Endpoints() {}

    boolean mayAnswer() {
        return !absent;
    }

    void failed(IOException e) {
        if (e instanceof UnknownProtocolException) {
            absent = true;
            LOG.debug("the index has no endpoint; it is read by the client", e);
        } else if (warned.compareAndSet(false, true)) {
            LOG.warn("a region of an index did not answer; its part is read by the client", e);
        } else {
            LOG.debug("a region of an index did not answer again; its part is read by the client", e);
        }
    }
}
