package io.leeway.hindex.internal.guard;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Around every hook: HBase ends the region server for anything but an {@link IOException} that leaves one.
 *
 * <p>A hook whose failure must stop the operation fails it; one that comes after the fact is only logged.
 */
public final class Guard {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");

    private Guard() {}

    /** What a hook does. */
    @FunctionalInterface
    public interface Hook {
        /** Does it. */
        void run() throws IOException;
    }

    /** What a hook returns. */
    @FunctionalInterface
    public interface Source<T> {
        /** Returns it. */
        T get() throws IOException;
    }

    /** Runs a hook that must succeed for the operation to go on. */
    public static void require(String hook, Hook body) throws IOException {
        get(hook, () -> {
            body.run();
            return hook;
        });
    }

    /** Runs a hook that must succeed for the operation to go on. */
    @SuppressWarnings("CatchAndPrintStackTrace")
    public static <T> T get(String hook, Source<T> body) throws IOException {
        try {
            return body.get();
        } catch (IllegalArgumentException e) {
            // The caller's input; the same again would fail again.
            LOG.debug("hindex refuses what it was asked in {}", hook, e);
            throw refusal("hindex refuses this in " + hook + ": " + e.getMessage());
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            LOG.error("hindex failed in {}", hook, e);
            throw new IOException("hindex failed in " + hook + "; see the log of the region server", e);
        }
    }

    /**
     * HBase sends callers the stack with the message, and its shell shows both: who has mistyped something needs the
     * message.
     */
    private static DoNotRetryIOException refusal(String why) {
        var refusal = new DoNotRetryIOException(why);
        refusal.setStackTrace(new StackTraceElement[0]);
        return refusal;
    }

    /** Runs a hook whose failure changes nothing for the operation. */
    public static void attempt(String hook, Hook body) {
        try {
            body.run();
        } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
            LOG.warn("hindex failed in {}", hook, e);
        }
    }
}
