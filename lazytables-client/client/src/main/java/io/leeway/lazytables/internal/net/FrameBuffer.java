package io.leeway.lazytables.internal.net;

import io.netty.buffer.ByteBuf;

/**
 * What has arrived and is not used yet. It grows with what arrives, never with what a header announces, and shrinks
 * again after large frames. Not thread-safe.
 */
final class FrameBuffer {

    /*
     * Between start and end is what is not used. It is moved to the front only when there is no room behind it, and
     * then at least half of the array was used since: so each byte is moved once at most, on average. "most" is how
     * much there was at a time since the last trim.
     *
     * A header announces up to a quarter of a gigabyte; room for that is made as the bytes come, doubling, and not
     * before.
     */

    private static final int LEAST = 16 << 10;
    private static final int KEPT = 256 << 10;

    private byte[] bytes = new byte[LEAST];
    private int start;
    private int end;
    private int most;

    byte[] bytes() {
        return bytes;
    }

    int start() {
        return start;
    }

    int size() {
        return end - start;
    }

    void skip(int count) {
        start += count;
    }

    void append(ByteBuf arrived) {
        int count = arrived.readableBytes();
        makeRoom(count);
        arrived.readBytes(bytes, end, count);
        end += count;
        most = Math.max(most, end - start);
    }

    /** Called now and then: gives back what was needed for larger frames than there were since. */
    void trim() {
        if (bytes.length > KEPT && most < bytes.length / 4) {
            // For what there was at most since the last time, and what is there now.
            byte[] smaller = new byte[Math.max(LEAST, Integer.highestOneBit(Math.max(most, 1)) << 1)];
            System.arraycopy(bytes, start, smaller, 0, size());
            end = size();
            start = 0;
            bytes = smaller;
        }
        // What is there now counts for the next time, too.
        most = size();
    }

    private void makeRoom(int count) {
        // Mostly so, behind the last frame of what came: nothing is to be moved.
        if (start == end) {
            start = 0;
            end = 0;
        }
        if (end + count <= bytes.length) {
            return;
        }
        // Moving costs as much as growing; what is moved is less than what has been used since the last time.
        byte[] target = start >= bytes.length / 2 && size() + count <= bytes.length
                ? bytes
                : new byte[Math.max(size() + count, 2 * bytes.length)];
        System.arraycopy(bytes, start, target, 0, size());
        end -= start;
        start = 0;
        bytes = target;
    }
}
