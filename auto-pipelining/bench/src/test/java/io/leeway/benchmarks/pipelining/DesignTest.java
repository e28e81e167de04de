package io.leeway.benchmarks.pipelining;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Here, since this part sees all others. */
class DesignTest {

    private static final Path ROOT = Path.of(System.getProperty("leeway.root", "../.."));
    private static final Pattern ANSWER = Pattern.compile("\\| `(\\w+)\\.(\\w+)` \\|");

    @Test
    void answersTenQuestionsWithMethodsThatExist() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/pipelining/design.md"));
        var answers = ANSWER.matcher(page).results().toList();

        assertThat(answers).hasSize(10);
        for (var answer : answers) {
            Class<?> type =
                    Class.forName(named(answer.group(1)), false, getClass().getClassLoader());
            assertThat(Arrays.stream(type.getDeclaredMethods()).map(method -> method.getName()))
                    .as(answer.group())
                    .contains(answer.group(2));
        }
    }

    private static String named(String simpleName) throws IOException {
        for (String part : List.of("core", "graph", "reactive", "flink")) {
            Path sources = ROOT.resolve("auto-pipelining").resolve(part).resolve("src/main/java");
            try (var files = Files.walk(sources)) {
                var found = files.filter(file -> file.endsWith(simpleName + ".java"))
                        .findFirst();
                if (found.isPresent()) {
                    String path = sources.relativize(found.get()).toString();
                    return path.substring(0, path.length() - ".java".length()).replace('/', '.');
                }
            }
        }
        throw new AssertionError("there is no class " + simpleName);
    }
}
