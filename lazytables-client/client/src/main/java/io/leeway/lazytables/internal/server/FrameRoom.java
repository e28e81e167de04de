package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.net.Outbox;

/**
 * What fits into a frame for a client. A row is not divided, and stands in a frame behind others that together are
 * shorter than a full one.
 *
 * @param frameLimit the bytes of the longest frame that the client takes and the server sends
 */
record FrameRoom(int frameLimit) {

    private static final int MEGABYTE = 1 << 20;

    boolean holds(long bytes) {
        return bytes <= frameLimit - Outbox.FULL;
    }

    /** Behind what takes so many bytes: why that does not fit, and what to do. */
    String remedy(long bytes) {
        return ", and a message to this process has at most " + frameLimit + " bytes, of which "
                + Outbox.FULL
                + " are for what is sent with it: start servers and clients with a lazytables.frame.limit of at least "
                + ((bytes + Outbox.FULL + MEGABYTE - 1) / MEGABYTE) + "MB, or use more and shorter rows";
    }
}
