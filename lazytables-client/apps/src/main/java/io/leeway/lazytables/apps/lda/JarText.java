package io.leeway.lazytables.apps.lda;

import io.leeway.lazytables.apps.BadInputException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The words of jars of sources or documentation: every file is a document. Words of names count apart, {@code getRowKey} as
 * three; markup, words of Java itself, words of fewer than three letters, and words that are in very few or in very many
 * files are left out.
 */
public final class JarText {

    private static final int FEWEST_FILES = 3;
    private static final double LARGEST_SHARE = 0.3;
    private static final int SHORTEST = 3;
    private static final int LONGEST = 30;
    /** A file beyond this is generated. */
    private static final int MOST_BYTES = 1 << 20;

    private static final Pattern FILES = Pattern.compile(".*\\.(java|scala|html|md|txt|adoc)");
    private static final Pattern MARKUP = Pattern.compile("<[^>]*>|&[a-z]+;");
    private static final Pattern BETWEEN = Pattern.compile("[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");
    private static final Set<String> OF_JAVA = Set.of(
            "abstract",
            "boolean",
            "break",
            "byte",
            "case",
            "catch",
            "char",
            "class",
            "com",
            "continue",
            "default",
            "double",
            "else",
            "enum",
            "extends",
            "false",
            "final",
            "finally",
            "float",
            "for",
            "get",
            "import",
            "instanceof",
            "int",
            "interface",
            "java",
            "javax",
            "long",
            "new",
            "null",
            "org",
            "override",
            "package",
            "private",
            "protected",
            "public",
            "return",
            "set",
            "short",
            "static",
            "string",
            "super",
            "switch",
            "synchronized",
            "the",
            "this",
            "throw",
            "throws",
            "true",
            "try",
            "void",
            "while",
            "and",
            "are",
            "not",
            "that",
            "with",
            "param",
            "link",
            "code",
            "license");

    private JarText() {}

    /** Reads all of them. */
    public static Corpus read(List<Path> jars) {
        var files = new ArrayList<List<String>>();
        for (Path jar : jars) {
            readJar(jar, files);
        }
        return numbered(files).required();
    }

    private static void readJar(Path jar, List<List<String>> files) {
        try (var zip = new ZipFile(jar.toFile())) {
            List<? extends ZipEntry> entries = zip.stream()
                    .filter(entry -> FILES.matcher(entry.getName()).matches())
                    .sorted(Comparator.comparing(ZipEntry::getName))
                    .toList();
            if (entries.isEmpty()) {
                throw new BadInputException(
                        jar + " has no sources and no documentation; give a jar of the kind -sources or -javadoc");
            }
            for (ZipEntry entry : entries) {
                try (InputStream content = zip.getInputStream(entry)) {
                    files.add(words(new String(content.readNBytes(MOST_BYTES), StandardCharsets.UTF_8)));
                }
            }
        } catch (IOException unreadable) {
            throw new BadInputException("cannot read " + jar + " as a jar: " + unreadable.getMessage(), unreadable);
        }
    }

    /** The words of a text that may count. */
    static List<String> words(String text) {
        var words = new ArrayList<String>();
        for (String part : BETWEEN.split(MARKUP.matcher(text).replaceAll(" "))) {
            if (part.length() >= SHORTEST && part.length() <= LONGEST) {
                String word = part.toLowerCase(Locale.ROOT);
                if (!OF_JAVA.contains(word)) {
                    words.add(word);
                }
            }
        }
        return words;
    }

    static Corpus numbered(List<List<String>> files) {
        Map<String, Integer> inFiles = new TreeMap<>();
        for (List<String> file : files) {
            new HashSet<>(file).forEach(word -> inFiles.merge(word, 1, Integer::sum));
        }
        double most = Math.max(FEWEST_FILES, LARGEST_SHARE * files.size());
        inFiles.values().removeIf(count -> count < FEWEST_FILES || count > most);
        List<String> vocabulary = List.copyOf(inFiles.keySet());
        Map<String, Integer> numbers = new HashMap<>();
        for (String word : vocabulary) {
            numbers.put(word, numbers.size());
        }
        int[][] documents = files.stream()
                .map(file -> file.stream()
                        .filter(numbers::containsKey)
                        .mapToInt(numbers::get)
                        .toArray())
                .toArray(int[][]::new);
        return Corpus.of(vocabulary, documents);
    }
}
