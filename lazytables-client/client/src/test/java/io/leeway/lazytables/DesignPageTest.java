package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DesignPageTest {

    private static final Pattern ANSWER = Pattern.compile("\\| `(\\w+)\\.(\\w+)` \\|");
    private static final List<String> FEATURES =
            List.of("client", "server", "row", "wire", "net", "process", "upkeep", "pace", "local", "remote");

    @Test
    void everyAnswerOfTheDesignPageIsInTheCode() throws IOException {
        String page =
                Files.readString(Path.of(System.getProperty("leeway.root", "../.."), "docs/lazytables/design.md"));

        assertThat(ANSWER.matcher(page).results()).hasSize(10).allSatisfy(answer -> {
            Class<?> type = find(answer.group(1));
            assertThat(Arrays.stream(type.getDeclaredMethods()).map(Method::getName))
                    .as(answer.group())
                    .contains(answer.group(2));
        });
    }

    /** There is one of that name: an answer that could be two places is none. */
    private static Class<?> find(String name) {
        List<Class<?>> found = Stream.concat(
                        Stream.of("io.leeway.lazytables." + name),
                        FEATURES.stream().map(feature -> "io.leeway.lazytables.internal." + feature + "." + name))
                .<Class<?>>map(DesignPageTest::load)
                .filter(Objects::nonNull)
                .toList();
        assertThat(found).as("classes of the name %s", name).hasSize(1);
        return found.get(0);
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, DesignPageTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
