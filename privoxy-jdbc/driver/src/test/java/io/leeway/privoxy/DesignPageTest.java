package io.leeway.privoxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DesignPageTest {

    private static final Pattern ANSWER = Pattern.compile("\\| `(\\w+)\\.(\\w+)` \\|");
    private static final Path ROOT = Path.of(System.getProperty("leeway.root", "../.."));
    private static final Path SOURCES = ROOT.resolve("privoxy-jdbc/driver/src/main/java");

    @Test
    void everyAnswerOfTheDesignPageIsInTheCode() throws IOException, ClassNotFoundException {
        String page = Files.readString(ROOT.resolve("docs/privoxy/design.md"));
        String questions = page.substring(0, page.indexOf("\n## "));
        List<List<String>> answers = ANSWER.matcher(questions)
                .results()
                .map(answer -> List.of(answer.group(1), answer.group(2)))
                .toList();

        assertThat(answers).hasSize(10).doesNotHaveDuplicates();
        for (List<String> answer : answers) {
            assertThat(Arrays.stream(find(answer.get(0)).getDeclaredMethods()).map(Method::getName))
                    .as(answer.toString())
                    .contains(answer.get(1));
        }
    }

    /** There is one of that name: an answer that could be two places is none. */
    private static Class<?> find(String name) throws IOException, ClassNotFoundException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<Path> found =
                    files.filter(file -> file.endsWith(name + ".java")).toList();
            assertThat(found).as("classes of the name %s", name).hasSize(1);
            String path = SOURCES.relativize(found.get(0)).toString();
            String type = path.substring(0, path.length() - ".java".length())
                    .replace('/', '.')
                    .replace('\\', '.');
            return Class.forName(type, false, DesignPageTest.class.getClassLoader());
        }
    }
}
