package io.leeway.demo.hindex;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The lines of source files, from a jar of sources that the build has.
 *
 * @param lines in order
 */
record SourceText(List<Line> lines) {

    private static final Pattern NOT_A_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

    /**
     * A line that is not empty.
     *
     * @param key of its row: file and number
     * @param text as it stands there
     */
    record Line(String key, String text) {

        /** Whether it has this word, upper and lower case being one. */
        boolean has(String word) {
            for (String each : NOT_A_WORD.split(text)) {
                if (each.toLowerCase(Locale.ROOT).equals(word)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** The first lines, of files in the order of their names. */
    static SourceText read(Path jar, int most) throws IOException {
        var lines = new ArrayList<Line>();
        try (var zip = new ZipFile(jar.toFile())) {
            List<? extends ZipEntry> files = zip.stream()
                    .filter(entry -> entry.getName().endsWith(".java"))
                    .sorted(Comparator.comparing(ZipEntry::getName))
                    .toList();
            for (ZipEntry file : files) {
                String name = file.getName().substring(file.getName().lastIndexOf('/') + 1);
                try (var reader =
                        new BufferedReader(new InputStreamReader(zip.getInputStream(file), StandardCharsets.UTF_8))) {
                    String text = reader.readLine();
                    for (int number = 1; text != null && lines.size() < most; number++) {
                        if (!text.isBlank()) {
                            lines.add(new Line("%s:%05d".formatted(name, number), text.strip()));
                        }
                        text = reader.readLine();
                    }
                }
            }
        }
        return new SourceText(lines);
    }
}
