package io.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackagedJarTest {

    @TempDir
    Path directory;

    @Test
    void acceptsAJarThatIsAsItShouldBe() {
        PackagedJar jar = jar(Map.of(
                "io/leeway/x/A.class", "",
                "META-INF/services/java.sql.Driver", "# comment\nio.leeway.x.A\n"));

        jar.hasClassesOnlyIn("io.leeway.x")
                .hasNoModuleInfoOrVersions()
                .hasServices(Map.of("java.sql.Driver", List.of("io.leeway.x.A")))
                .isSmallerThan(10_000);
    }

    @Test
    void findsAForeignClass() {
        PackagedJar jar = jar(Map.of("io/leeway/x/A.class", "", "org/other/B.class", ""));

        assertThatThrownBy(() -> jar.hasClassesOnlyIn("io.leeway.x"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("org/other/B.class");
    }

    @Test
    void findsAServiceFileOfAShadedLibrary() {
        PackagedJar jar = jar(Map.of("META-INF/services/java.sql.Driver", "org.other.Driver"));

        assertThatThrownBy(() -> jar.hasServices(Map.of()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("org.other.Driver");
    }

    @Test
    void findsLeftoversOfShading() {
        assertThatThrownBy(() -> jar(Map.of("module-info.class", "")).hasNoModuleInfoOrVersions())
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> jar(Map.of("META-INF/versions/11/A.class", "")).hasNoModuleInfoOrVersions())
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void findsAJarThatHasGrown() {
        PackagedJar jar = jar(Map.of("a", "b"));

        assertThatThrownBy(() -> jar.isSmallerThan(10)).isInstanceOf(AssertionError.class);
    }

    @Test
    void aBareJvmSeesNothingButTheJar() {
        var result = jar(Map.of("a", "b")).runInBareJvm("org.junit.jupiter.api.Test");

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.output()).contains("org.junit.jupiter.api.Test");
    }

    private PackagedJar jar(Map<String, String> entries) {
        Path file = directory.resolve("test.jar");
        try (var jar = new JarOutputStream(Files.newOutputStream(file))) {
            for (var entry : entries.entrySet()) {
                jar.putNextEntry(new JarEntry(entry.getKey()));
                jar.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return PackagedJar.at(file);
    }
}
