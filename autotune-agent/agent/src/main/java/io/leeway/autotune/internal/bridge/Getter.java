package io.leeway.autotune.internal.bridge;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * A public getter of classes that are not known at compile time, looked up once a class: the first of several names that
 * the class has. Without one the answer is null. With an argument it is a text, as headers are asked for.
 */
final class Getter extends ClassValue<MethodHandle> {

    private final boolean withText;
    private final String[] names;

    Getter(boolean withText, String... names) {
        this.withText = withText;
        this.names = names;
    }

    @Nullable
    Object of(@Nullable Object host) {
        try {
            return host == null ? null : (Object) get(host.getClass()).invokeExact(host);
        } catch (Throwable e) {
            return null;
        }
    }

    @Nullable
    Object of(@Nullable Object host, String argument) {
        try {
            return host == null ? null : (Object) get(host.getClass()).invokeExact(host, argument);
        } catch (Throwable e) {
            return null;
        }
    }

    @Override
    protected MethodHandle computeValue(Class<?> type) {
        MethodType shape = withText
                ? MethodType.methodType(Object.class, Object.class, String.class)
                : MethodType.methodType(Object.class, Object.class);
        for (String name : names) {
            MethodHandle found = find(type, name);
            if (found != null) {
                return found.asType(shape);
            }
        }
        return MethodHandles.dropArguments(MethodHandles.constant(Object.class, null), 0, shape.parameterList());
    }

    private @Nullable MethodHandle find(@Nullable Class<?> type, String name) {
        if (type == null) {
            return null;
        }
        try {
            Method method = withText ? type.getMethod(name, String.class) : type.getMethod(name);
            if (!Modifier.isPublic(type.getModifiers())) {
                method.setAccessible(true);
            }
            return MethodHandles.publicLookup().unreflect(method);
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Not there, or not to be had from a class that is not exported: from what it extends, perhaps.
        }
        MethodHandle inherited = find(type.getSuperclass(), name);
        for (Class<?> implemented : inherited == null ? type.getInterfaces() : new Class<?>[0]) {
            inherited = inherited == null ? find(implemented, name) : inherited;
        }
        return inherited;
    }
}
