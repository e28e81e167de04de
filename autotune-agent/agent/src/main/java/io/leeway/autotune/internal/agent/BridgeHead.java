package io.leeway.autotune.internal.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Puts the bridge where classes of every loader find it, into the bootstrap loader, and leaves no file behind: however
 * the process ends, nobody has to clean up after it.
 *
 * <p>The classes are defined from memory. A JVM that does not allow that gets them in a jar, which is deleted as soon
 * as the JVM has opened it, or at the end where files that are open cannot be deleted. Must be called before anything
 * asks for the bridge, and names none of its classes itself.
 */
public final class BridgeHead {

    private static final String PACKAGE = "io.leeway.autotune.internal.bridge.";

    private static final String DEFINER = PACKAGE + "Definer";

    /** What comes first is what others extend. */
    private static final String[] PARTS = {
        "Bridge$Sink", "Bridge$Entry", "Bridge$Identity", "Bridge$Pending", "Getter", "Kinds", "Bridge"
    };

    private BridgeHead() {}

    /** Builds it. */
    public static void build(Instrumentation instrumentation) throws IOException {
        Map<String, byte[]> classes = classes();
        try {
            define(instrumentation, classes);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            append(instrumentation, classes);
        }
    }

    private static Map<String, byte[]> classes() throws IOException {
        var classes = new LinkedHashMap<String, byte[]>();
        for (String part : PARTS) {
            classes.put(PACKAGE + part, bytes(PACKAGE + part));
        }
        return classes;
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream in = BridgeHead.class.getClassLoader().getResourceAsStream(file(name))) {
            if (in == null) {
                throw new IOException(name + " is not in the agent's jar");
            }
            return in.readAllBytes();
        }
    }

    private static String file(String name) {
        return name.replace('.', '/') + ".class";
    }

    private static void define(Instrumentation instrumentation, Map<String, byte[]> classes)
            throws IOException, ReflectiveOperationException {
        byte[] definer = bytes(DEFINER);
        var loader = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (!name.equals(DEFINER)) {
                    throw new ClassNotFoundException(name);
                }
                return defineClass(name, definer, 0, definer.length);
            }
        };
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of("jdk.internal.access", Set.of(loader.getUnnamedModule())),
                Map.of(),
                Set.of(),
                Map.of());
        @SuppressWarnings("unchecked")
        var define = (BiConsumer<String, byte[]>)
                loader.loadClass(DEFINER).getConstructor().newInstance();
        classes.forEach(define);
    }

    private static void append(Instrumentation instrumentation, Map<String, byte[]> classes) throws IOException {
        Path file = Files.createTempFile("autotune-bridge-", ".jar");
        try {
            try (var jar = new JarOutputStream(Files.newOutputStream(file))) {
                for (Map.Entry<String, byte[]> part : classes.entrySet()) {
                    jar.putNextEntry(new JarEntry(file(part.getKey())));
                    jar.write(part.getValue());
                }
            }
            try (var opened = new JarFile(file.toFile())) {
                instrumentation.appendToBootstrapClassLoaderSearch(opened);
            }
        } finally {
            try {
                Files.delete(file);
            } catch (IOException e) {
                file.toFile().deleteOnExit();
            }
        }
    }
}
