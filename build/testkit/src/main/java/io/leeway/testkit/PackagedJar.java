package io.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Assertions on a jar as users get it, for a {@code PackagedJarIT}.
 *
 * <pre>{@code
 * PackagedJar.ofThisBuild()
 *         .hasClassesOnlyIn("io.leeway.privoxy")
 *         .hasServices(Map.of("java.sql.Driver", List.of("io.leeway.privoxy.PrivoxyDriver")))
 *         .isSmallerThan(2_000_000);
 * }</pre>
 */
public final class PackagedJar {

    private static final String SERVICES = "META-INF/services/";

    private final Path file;

    private PackagedJar(Path file) {
        assertThat(file).isRegularFile();
        this.file = file;
    }

    /** The jar of the module that is being built; the build names it in {@code leeway.jar}. */
    public static PackagedJar ofThisBuild() {
        String file = System.getProperty("leeway.jar");
        assertThat(file).as("system property leeway.jar, set by the build").isNotNull();
        return at(Path.of(file));
    }

    /** Any jar. */
    public static PackagedJar at(Path file) {
        return new PackagedJar(file);
    }

    /** The jar's file. */
    public Path file() {
        return file;
    }

    /** Every class is in one of these packages or below: nothing of anybody else was packed under its own name. */
    public PackagedJar hasClassesOnlyIn(String... packages) {
        List<String> folders = List.of(packages).stream()
                .map(name -> name.replace('.', '/') + "/")
                .toList();
        assertThat(entries())
                .filteredOn(name -> name.endsWith(".class"))
                .isNotEmpty()
                .allMatch(name -> folders.stream().anyMatch(name::startsWith), "is in one of " + List.of(packages));
        return this;
    }

    /** No module descriptor and no classes for certain Java versions, which shading tends to leave behind. */
    public PackagedJar hasNoModuleInfoOrVersions() {
        assertThat(entries())
                .noneMatch(name -> name.endsWith("module-info.class"))
                .noneMatch(name -> name.startsWith("META-INF/versions/"));
        return this;
    }

    /** Exactly these service files with exactly these lines. */
    public PackagedJar hasServices(Map<String, List<String>> services) {
        var found = new TreeMap<String, List<String>>();
        for (String name : entries()) {
            if (name.startsWith(SERVICES) && !name.endsWith("/")) {
                found.put(name.substring(SERVICES.length()), lines(name));
            }
        }
        assertThat(found).isEqualTo(new TreeMap<>(services));
        return this;
    }

    /** Fails at this size in bytes or above. */
    public PackagedJar isSmallerThan(long bytes) {
        assertThat(file.toFile().length()).as("size of " + file.getFileName()).isLessThan(bytes);
        return this;
    }

    /** Starts a main class with nothing but this jar on the class path. */
    public JavaProcess.Result runInBareJvm(String mainClass, String... arguments) {
        return JavaProcess.run(file.toString(), mainClass, arguments);
    }

    private List<String> entries() {
        try (var jar = new JarFile(file.toFile())) {
            return jar.stream().map(JarEntry::getName).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> lines(String entry) {
        try (var jar = new JarFile(file.toFile());
                var in = jar.getInputStream(jar.getJarEntry(entry))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
