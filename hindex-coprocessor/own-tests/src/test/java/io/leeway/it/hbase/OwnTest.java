package io.leeway.it.hbase;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A class of HBase's own tests.
 *
 * @param name below {@code org.apache.hadoop.hbase}
 * @param qualifiers what its tests write: each gets an index in every family; {@code -} is the empty one
 * @param isShort whether it is of the short selection
 */
record OwnTest(String name, List<String> qualifiers, boolean isShort) {

    private static final String LIST = "own-tests.txt";
    private static final String PACKAGE = "org.apache.hadoop.hbase.";

    OwnTest {
        qualifiers = List.copyOf(qualifiers);
    }

    /** A class that is not run, and why. */
    record LeftOut(String name, String reason) {}

    /** All that are run, in this order. */
    static List<OwnTest> all() {
        return lines().stream()
                .filter(line -> !line.startsWith("!"))
                .map(OwnTest::parse)
                .toList();
    }

    /** All that were tried, or would suggest themselves, and are not run. */
    static List<LeftOut> leftOut() {
        return lines().stream()
                .filter(line -> line.startsWith("!"))
                .map(line -> line.substring(1).strip().split(" +", 2))
                .map(words -> new LeftOut(words[0], words[1]))
                .toList();
    }

    private static OwnTest parse(String line) {
        String[] words = line.split(" +");
        boolean wellFormed = words.length == 2 || words.length == 3 && words[2].equals("short");
        if (!wellFormed) {
            throw new IllegalArgumentException(LIST + ": \"" + line + "\" is not: class qualifier,qualifier [short]");
        }
        return new OwnTest(words[0], List.of(words[1].split(",")), words.length == 3);
    }

    private static List<String> lines() {
        try (InputStream in = Objects.requireNonNull(OwnTest.class.getResourceAsStream(LIST), LIST);
                var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return reader.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String className() {
        return PACKAGE + name;
    }
}
