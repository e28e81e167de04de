package io.leeway.autotune.internal.bridge;

import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Defines a class in the bootstrap loader from its bytes, as the JDK does for its own proxies. Made in a class loader of
 * its own, so that only that loader's module sees what of the JDK is opened for it; uses nothing but {@code java.base}.
 */
public final class Definer implements BiConsumer<String, byte[]> {

    private static final @Nullable ClassLoader BOOTSTRAP = null;

    /** Public, as it is made by reflection. */
    public Definer() {}

    @Override
    public void accept(String name, byte[] bytes) {
        try {
            Object access = Class.forName("jdk.internal.access.SharedSecrets")
                    .getMethod("getJavaLangAccess")
                    .invoke(null);
            Method define = Class.forName("jdk.internal.access.JavaLangAccess")
                    .getMethod(
                            "defineClass",
                            ClassLoader.class,
                            String.class,
                            byte[].class,
                            ProtectionDomain.class,
                            String.class);
            define.invoke(access, BOOTSTRAP, name, bytes, null, null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " cannot be defined", e);
        }
    }
}
