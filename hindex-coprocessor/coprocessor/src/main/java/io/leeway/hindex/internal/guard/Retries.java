package io.leeway.hindex.internal.guard;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is said when work in the background fails that is tried again. Thread-safe. */
public final class Retries {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");

    private Retries() {}

    /**
     * An index that does not answer is to be expected; anything else somebody has to see.
     *
     * @param what is tried again
     * @param of what it belongs to, such as a region
     */
    public static void failed(String what, String of, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("failed, and tried again: {} of {}", what, of, cause);
        } else {
            LOG.warn("failed, and tried again: {} of {}", what, of, cause);
        }
    }
}
