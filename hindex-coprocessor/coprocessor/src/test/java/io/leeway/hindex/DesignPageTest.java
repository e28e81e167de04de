package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DesignPageTest {

    private static final Path ROOT = Path.of(System.getProperty("leeway.root", "../.."));
    private static final Path SOURCES = ROOT.resolve("hindex-coprocessor/coprocessor/src/main/java");
    private static final Pattern ANSWER = Pattern.compile("\\| `(\\w+)\\.(\\w+)` \\|");

    @Test
    void everyAnswerOfTheDesignPageIsInTheCode() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/hindex/design.md"));

        assertThat(ANSWER.matcher(page).results())
                .hasSize(11)
                .allSatisfy(
                        answer -> assertThat(Arrays.stream(find(answer.group(1)).getDeclaredMethods())
                                        .map(Method::getName))
                                .as(answer.group())
                                .contains(answer.group(2)));
    }

    /** There is one of that name: an answer that could be two places is none. */
    private static Class<?> find(String name) {
        try (var files = Files.walk(SOURCES)) {
            List<Path> found =
                    files.filter(file -> file.endsWith(name + ".java")).toList();
            assertThat(found).as("classes of the name %s", name).hasSize(1);
            String path = SOURCES.relativize(found.get(0)).toString();
            return Class.forName(
                    path.substring(0, path.length() - ".java".length()).replaceAll("[/\\\\]", "."),
                    false,
                    DesignPageTest.class.getClassLoader());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
