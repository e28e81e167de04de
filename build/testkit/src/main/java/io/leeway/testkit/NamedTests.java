package io.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tests that a page of the documentation names: {@code `SomeTest`} or {@code `SomeTest.nestedClassOrMethod`}. */
public final class NamedTests {

    private static final Pattern NAME =
            Pattern.compile("`([A-Z][A-Za-z0-9]+(?:Test|IT|Contract))(?:\\.([A-Za-z0-9]+))?`");
    private static final Path ROOT = Path.of(System.getProperty("leeway.root", ".."));

    private NamedTests() {}

    /** Asserts that a page below {@code docs} names some, and that each is among the tests of these products. */
    public static void assertThere(String page, String... folders) throws IOException {
        assertThere(ROOT.resolve("docs").resolve(page), sources(List.of(folders)));
    }

    static void assertThere(Path page, Map<String, String> sources) throws IOException {
        Matcher named = NAME.matcher(Files.readString(page));
        int found = 0;
        while (named.find()) {
            assertThat(sources).containsKey(named.group(1));
            if (named.group(2) != null) {
                assertThat(sources.get(named.group(1)))
                        .as(named.group())
                        .containsPattern("(class|void) " + named.group(2) + "\\b");
            }
            found++;
        }
        assertThat(found).as("tests that %s names", page).isPositive();
    }

    private static Map<String, String> sources(List<String> folders) throws IOException {
        var sources = new HashMap<String, String>();
        for (String folder : folders) {
            for (Path tests : testSources(ROOT.resolve(folder))) {
                try (Stream<Path> files = Files.walk(tests)) {
                    for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                            .toList()) {
                        sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
                    }
                }
            }
        }
        return sources;
    }

    /** Those of the folder itself and of its parts. */
    private static List<Path> testSources(Path folder) throws IOException {
        try (Stream<Path> parts = Files.list(folder)) {
            return Stream.concat(Stream.of(folder), parts)
                    .map(part -> part.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }
}
