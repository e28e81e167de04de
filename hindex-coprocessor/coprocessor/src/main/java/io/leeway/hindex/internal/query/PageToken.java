package io.leeway.hindex.internal.query;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Where a page ended, as a text that a client hands back for the next one: the last index row, and a check that it is
 * the same query. Not a secret and no protection: it shows the row's key, and whoever may ask may ask for any row.
 *
 * <p>Nothing of it is kept on any server: the next page may be asked for by another process, after hours. Without
 * state.
 */
public final class PageToken {

    /** Tokens outlive versions of this library, in applications' links. */
    private static final byte VERSION = 1;
    /** The version, and four bytes of check. */
    private static final int HEADER = 1 + Integer.BYTES;

    private PageToken() {}

    /** The token of a page of these ranges whose last row is this one. */
    public static String after(List<ScanRange> ranges, ReadOrder order, byte[] lastRow) {
        byte[] bytes = ByteBuffer.allocate(HEADER + lastRow.length)
                .put(VERSION)
                .putInt(check(ranges, order, lastRow))
                .put(lastRow)
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * What is left of the ranges after the page.
     *
     * @throws IllegalArgumentException if the token is damaged, or of another query
     */
    public static List<ScanRange> resume(List<ScanRange> ranges, ReadOrder order, String token) {
        return order.remaining(ranges, lastRow(ranges, order, token));
    }

    private static byte[] lastRow(List<ScanRange> ranges, ReadOrder order, String token) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
        if (bytes.length < HEADER || bytes[0] != VERSION) {
            throw wrong(null);
        }
        byte[] lastRow = Arrays.copyOfRange(bytes, HEADER, bytes.length);
        if (ByteBuffer.wrap(bytes).getInt(1) != check(ranges, order, lastRow)) {
            throw wrong(null);
        }
        return lastRow;
    }

    /**
     * Over all that decides what comes next. It finds mistakes, not malice: lengths are in it, so that bytes cannot
     * move over.
     */
    private static int check(List<ScanRange> ranges, ReadOrder order, byte[] lastRow) {
        var crc = new CRC32();
        crc.update(order.descending() ? 1 : 0);
        for (ScanRange range : ranges) {
            update(crc, range.start());
            update(crc, range.stop());
        }
        update(crc, lastRow);
        return (int) crc.getValue();
    }

    private static void update(CRC32 crc, byte[] bytes) {
        crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        crc.update(bytes);
    }

    private static IllegalArgumentException wrong(@Nullable Throwable cause) {
        return new IllegalArgumentException(
                "the page token is damaged or belongs to another query; start again without one", cause);
    }
}
