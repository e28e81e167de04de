package io.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedTestsTest {

    private static final Map<String, String> SOURCES =
            Map.of("SomeTest", "class SomeTest { class Nested { void method() {} } }");

    @TempDir
    Path directory;

    private Path page;

    @BeforeEach
    void page() {
        page = directory.resolve("page.md");
    }

    private void check(String text) throws IOException {
        NamedTests.assertThere(Files.writeString(page, text), SOURCES);
    }

    @Test
    void whatIsThereIsFound() throws IOException {
        check("| `SomeTest`, `SomeTest.Nested` | `SomeTest.method` |");
    }

    @Test
    void whatIsNotThereIsToldByName() {
        assertThatThrownBy(() -> check("`SomeTest`, `OtherTest`"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("OtherTest");
        assertThatThrownBy(() -> check("`SomeTest.meth`"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("SomeTest.meth");
    }

    @Test
    void aPageThatNamesNoneIsNotTheOneThatWasMeant() {
        assertThatThrownBy(() -> check("nothing")).isInstanceOf(AssertionError.class);
    }
}
