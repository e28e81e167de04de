package io.leeway.autotune.internal.knobs;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls into the host by name: the agent knows no class of it at compile time. */
final class Reflect {

    private Reflect() {}

    /** An int getter. */
    static int number(Object host, String getter) throws ReflectiveOperationException {
        return ((Number) call(host, getter)).intValue();
    }

    /** Whether there is a public method of that name. */
    static boolean has(Object host, String name) {
        return Arrays.stream(host.getClass().getMethods())
                .anyMatch(method -> method.getName().equals(name));
    }

    /** A public method, also of a class that is not public itself. */
    static Object call(Object host, String name, Object... arguments) throws ReflectiveOperationException {
        Method method = method(host.getClass(), name, arguments);
        method.setAccessible(true);
        return method.invoke(host, arguments);
    }

    /** A method of the object's class or of one above it that is not public. */
    static Object hidden(Object host, String name, Object... arguments) throws ReflectiveOperationException {
        for (Class<?> type = host.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && fits(method.getParameterTypes(), arguments)) {
                    method.setAccessible(true);
                    return method.invoke(host, arguments);
                }
            }
        }
        throw new NoSuchMethodException(host.getClass().getName() + "." + name);
    }

    private static Method method(Class<?> type, String name, Object... arguments) throws NoSuchMethodException {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(name) && fits(method.getParameterTypes(), arguments))
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(type.getName() + "." + name));
    }

    private static boolean fits(Class<?>[] types, Object[] arguments) {
        if (types.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            if (!boxed(types[i]).isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }

    private static Class<?> boxed(Class<?> type) {
        return type == int.class ? Integer.class : type == long.class ? Long.class : type;
    }

    /** A field of the object's class or of one above it. */
    static Object field(Object host, String name) throws ReflectiveOperationException {
        return field(host, List.of(name));
    }

    /** The first of these fields that there is: what one thing is called in a library's different lines. */
    static Object field(Object host, List<String> names) throws ReflectiveOperationException {
        Field found = find(host, names);
        if (found == null) {
            throw new NoSuchFieldException(host.getClass().getName() + "." + names);
        }
        return found.get(host);
    }

    /** A field's value; null if there is no such field. */
    static @Nullable Object fieldIfAny(Object host, String name) throws ReflectiveOperationException {
        Field found = find(host, List.of(name));
        return found == null ? null : found.get(host);
    }

    /** Writes a field that has no setter. */
    static void set(Object host, String name, Object value) throws ReflectiveOperationException {
        Field found = find(host, List.of(name));
        if (found == null) {
            throw new NoSuchFieldException(host.getClass().getName() + "." + name);
        }
        found.set(host, value);
    }

    private static @Nullable Field find(Object host, List<String> names) {
        for (Class<?> type = host.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (names.contains(field.getName())) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        return null;
    }
}
