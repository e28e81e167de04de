package io.leeway.approx.atp;

/**
 * What the receiver tells about packets. Any number of them may get lost: each covers the last 256 packets.
 *
 * @param top the highest number received
 * @param bits0 bit i says that packet {@code top - i} was received
 * @param bits1 the same for {@code top - 64 - i}
 * @param bits2 the same for {@code top - 128 - i}
 * @param bits3 the same for {@code top - 192 - i}
 * @param delay how long the receiver held this back since packet {@code top}, in nanoseconds
 * @param credit bytes that the receiver has room for
 * @param drops packets that the receiver had no room for, since the start
 */
public record Ack(long top, long bits0, long bits1, long bits2, long bits3, long delay, long credit, long drops) {

    /** How many packets one covers. */
    public static final int SPAN = 256;

    /** About its length in the network, with headers. */
    public static final int WIRE_BYTES = 128;

    /** Whether packet {@code top - back} was received. */
    public boolean has(int back) {
        long bits = switch (back >>> 6) {
            case 0 -> bits0;
            case 1 -> bits1;
            case 2 -> bits2;
            default -> bits3;
        };
        return (bits >>> back & 1) != 0;
    }
}
