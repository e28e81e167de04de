package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
            List.of("agent", "knobs", "measure", "bridge", "learn", "tune", "deploy", "sim", "json", "remote");

    @Test
    void everyAnswerOfTheDesignPageIsInTheCode() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("leeway.root", "../.."), "docs/autotune/design.md"));

        assertThat(ANSWER.matcher(page).results()).hasSize(10).allSatisfy(answer -> {
            Class<?> type = find(answer.group(1));
            assertThat(Arrays.stream(type.getDeclaredMethods()).map(method -> method.getName()))
                    .as(answer.group())
                    .contains(answer.group(2));
        });
    }

    private static Class<?> find(String name) {
        return Stream.concat(
                        Stream.of("io.leeway.autotune." + name),
                        FEATURES.stream().map(feature -> "io.leeway.autotune.internal." + feature + "." + name))
                .map(DesignPageTest::load)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no class " + name));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, DesignPageTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
