package io.leeway.privoxy.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyFilesTest {

    @TempDir
    Path directory;

    @Test
    void readsPathsFileUrlsAndDirectories() throws Exception {
        Path one = write("one.sql", "-- one");
        Path many = Files.createDirectory(directory.resolve("many"));
        Files.writeString(many.resolve("b.sql"), "-- b");
        Files.writeString(many.resolve("a.sql"), "-- a");
        Files.writeString(many.resolve("README.md"), "no policy");

        PolicyFiles.Content content =
                PolicyFiles.read(List.of(one.toString(), many + ", " + one.toUri(), "file:" + one));

        assertThat(content.sources())
                .extracting(SourceText::text)
                .containsExactly("-- one", "-- a", "-- b", "-- one", "-- one");
        assertThat(content.sources().get(1).name()).endsWith("a.sql");
        assertThat(content.watched()).contains(one, many, many.resolve("a.sql"), many.resolve("b.sql"));
    }

    @Test
    void readsResourcesOfTheClassPath() throws Exception {
        Path root = Files.createDirectories(directory.resolve("classes"));
        Files.writeString(Files.createDirectory(root.resolve("policies")).resolve("p.sql"), "-- from a directory");
        Path jar = jar("policies/j.sql", "-- from a jar");

        withClassPath(
                () -> {
                    PolicyFiles.Content content =
                            PolicyFiles.read(List.of("classpath:policies/p.sql", "classpath:/policies/j.sql"));
                    assertThat(content.sources())
                            .extracting(SourceText::text)
                            .containsExactly("-- from a directory", "-- from a jar");
                    assertThat(content.watched()).containsExactly(root.resolve("policies/p.sql"));
                    return content;
                },
                root,
                jar);
    }

    @Test
    void doesNotChooseBetweenResourcesOfOneName() throws Exception {
        Path first = Files.createDirectories(directory.resolve("first"));
        Path second = Files.createDirectories(directory.resolve("second"));
        Files.writeString(first.resolve("policy.sql"), "-- mine");
        Files.writeString(second.resolve("policy.sql"), "-- somebody's");

        withClassPath(
                () -> assertThatThrownBy(() -> PolicyFiles.read(List.of("classpath:policy.sql")))
                        .isInstanceOf(InvalidPolicyException.class)
                        .hasMessageContaining("2 resources of this name"),
                first,
                second);
    }

    @Test
    void tellsAllThatCannotBeRead() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        Path latin = directory.resolve("latin.sql");
        Files.write(latin, new byte[] {'-', '-', ' ', (byte) 0xE9});

        var fault = catchThrowableOfType(
                InvalidPolicyException.class,
                () -> PolicyFiles.read(List.of(
                        "http://example.org/policy.sql",
                        "jar:file:/x.jar!/policy.sql",
                        directory.resolve("missing.sql").toString(),
                        empty.toString(),
                        latin.toString(),
                        "classpath:no/such.sql")));

        assertThat(fault.findings())
                .extracting(Finding::toString)
                .satisfiesExactlyInAnyOrder(
                        text -> assertThat(text).contains("http:", "only files and class path resources"),
                        text -> assertThat(text).contains("jar:", "only files and class path resources"),
                        text -> assertThat(text).contains("missing.sql", "cannot be read"),
                        text -> assertThat(text).contains("empty", "no *.sql file"),
                        text -> assertThat(text).contains("latin.sql", "not UTF-8"),
                        text -> assertThat(text).contains("classpath:no/such.sql", "no such resource"));
    }

    @Test
    void wantsAFile() {
        assertThatThrownBy(() -> PolicyFiles.read(List.of(" , ")))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageContaining("no policy file is named");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private Path jar(String entry, String text) throws IOException {
        Path jar = directory.resolve("policies.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry(entry));
            out.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            out.closeEntry();
        }
        return jar;
    }

    private static void withClassPath(Callable<?> test, Path... roots) throws Exception {
        var urls = new URL[roots.length];
        for (int i = 0; i < roots.length; i++) {
            urls[i] = roots[i].toUri().toURL();
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (var loader = new URLClassLoader(urls, before)) {
            thread.setContextClassLoader(loader);
            test.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
