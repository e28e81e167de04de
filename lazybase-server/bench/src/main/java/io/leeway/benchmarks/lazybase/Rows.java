package io.leeway.benchmarks.lazybase;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Rows that everybody gets: a key in random order, a time, two ints, a double, a text. */
final class Rows {

    static final int COUNT = 1_000_000;
    static final int WARM_UP = 300_000;

    /** Rows of about 1 KB. */
    static final int LARGE = 150_000;

    static final String COLUMNS = "(k bigint primary key, ts bigint, u int, v int, d double precision, s varchar)";

    private static final String WORDS = "some words that look like text of a tweet number ";

    private Rows() {}

    /** Keys in random order, all different: an odd multiplier permutes the numbers below a power of two. */
    static long key(int i) {
        return (i * 0x9E3779B1L) & 0xFFFFFFFFL;
    }

    /** Rows of about 90 bytes, or with so many bytes of text more. */
    static Path write(Path file, int from, int rows, int more, long seed) throws IOException {
        var random = new Random(seed);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int i = from; i < from + rows; i++) {
                out.write(key(i) + "," + (1_700_000_000_000L + i) + "," + random.nextInt(1_000) + "," + random.nextInt()
                        + "," + random.nextInt(1_000_000) / 1000.0 + "," + WORDS
                        + Integer.toHexString(random.nextInt() | 0x10000000));
                for (int length = 0; length < more; length += 12) {
                    out.write(" word" + (random.nextInt(900_000) + 100_000) + "!");
                }
                out.write('\n');
            }
        }
        return file;
    }
}
