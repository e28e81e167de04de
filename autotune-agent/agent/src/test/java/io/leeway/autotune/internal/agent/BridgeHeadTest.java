package io.leeway.autotune.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** A JVM that lets nobody define classes in the bootstrap loader; one that does is in {@code AgentIT}. */
class BridgeHeadTest {

    @Test
    void jvmThatDoesNotLetItInGetsAJarThatIsGoneAtOnce() throws IOException {
        var entries = new ArrayList<String>();
        var paths = new ArrayList<Path>();
        Instrumentation strict = (Instrumentation) Proxy.newProxyInstance(
                BridgeHeadTest.class.getClassLoader(),
                new Class<?>[] {Instrumentation.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("appendToBootstrapClassLoaderSearch")) {
                        JarFile jar = (JarFile) arguments[0];
                        paths.add(Path.of(jar.getName()));
                        entries.addAll(jar.stream().map(JarEntry::getName).toList());
                        return null;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });

        BridgeHead.build(strict);

        assertThat(entries)
                .contains("io/leeway/autotune/internal/bridge/Bridge.class")
                .containsExactlyInAnyOrderElementsOf(bridge());
        assertThat(paths).hasSize(1).allSatisfy(path -> assertThat(path).doesNotExist());
    }

    /** All classes of the package but what defines them: none is forgotten when one is added. */
    private static List<String> bridge() throws IOException {
        String folder = "io/leeway/autotune/internal/bridge";
        Path classes = Path.of("target/classes");
        try (var files = Files.list(classes.resolve(folder))) {
            return files.map(file -> folder + "/" + file.getFileName())
                    .filter(name -> !name.endsWith("package-info.class") && !name.endsWith("Definer.class"))
                    .toList();
        }
    }
}
