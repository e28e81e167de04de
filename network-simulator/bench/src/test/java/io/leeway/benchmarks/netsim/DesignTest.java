package io.leeway.benchmarks.netsim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DesignTest {

    private static final Path ROOT = Path.of(System.getProperty("leeway.root", "../.."));
    private static final Pattern ANSWER = Pattern.compile("\\| `(\\w+)\\.(\\w+)` \\|");

    @Test
    void answersTenQuestionsWithMethodsThatExist() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/netsim/design.md"));
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
        Path sources = ROOT.resolve("network-simulator/simulator/src/main/java");
        try (var files = Files.walk(sources)) {
            Path found = files.filter(file -> file.endsWith(simpleName + ".java"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no class " + simpleName));
            String path = sources.relativize(found).toString();
            return path.substring(0, path.length() - ".java".length()).replace('/', '.');
        }
    }
}
