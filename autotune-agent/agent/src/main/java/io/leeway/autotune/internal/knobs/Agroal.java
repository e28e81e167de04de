package io.leeway.autotune.internal.knobs;

/**
 * Agroal's rules, the pool of Quarkus and WildFly. The pool reads its configuration at each use; connections beyond a
 * lowered maximum are closed when they come back, so that only what is there after that says that the change is seen.
 */
final class Agroal {

    private Agroal() {}

    private static Object configuration(Object pool) throws ReflectiveOperationException {
        return Reflect.field(pool, "configuration");
    }

    static int size(Object pool) throws ReflectiveOperationException {
        return Reflect.number(configuration(pool), "maxSize");
    }

    static void resize(Object pool, int size) throws ReflectiveOperationException {
        Object configuration = configuration(pool);
        if (size < Reflect.number(configuration, "minSize")) {
            Reflect.call(configuration, "setMinSize", size);
        }
        Reflect.call(configuration, "setMaxSize", size);
    }
}
