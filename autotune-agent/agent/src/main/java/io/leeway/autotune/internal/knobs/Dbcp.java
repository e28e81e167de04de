package io.leeway.autotune.internal.knobs;

/**
 * DBCP's rules. What is idle above a lowered maximum stays until somebody borrows it and gives it back; so the surplus is
 * borrowed, with a limit of time, and thrown away.
 */
final class Dbcp {

    private static final long PATIENCE_MILLIS = 250;

    private Dbcp() {}

    static void resize(Object source, int size, int idle, boolean idleFollows) throws ReflectiveOperationException {
        int mostIdle = idleFollows ? size : Math.min(idle, size);
        if (size < Reflect.number(source, "getMaxTotal")) {
            Reflect.call(source, "setMaxIdle", mostIdle);
            Reflect.call(source, "setMaxTotal", size);
        } else {
            Reflect.call(source, "setMaxTotal", size);
            Reflect.call(source, "setMaxIdle", mostIdle);
        }
    }

    private static int total(Object source) throws ReflectiveOperationException {
        return Reflect.number(source, "getNumActive") + Reflect.number(source, "getNumIdle");
    }

    /** How many connections there are, without those that were too many and idle. */
    static int settled(Object source) throws ReflectiveOperationException {
        int surplus =
                Math.min(total(source) - Reflect.number(source, "getMaxTotal"), Reflect.number(source, "getNumIdle"));
        Object pool = surplus > 0 ? Reflect.field(source, "connectionPool") : source;
        for (int i = 0; i < surplus; i++) {
            Reflect.call(pool, "invalidateObject", Reflect.call(pool, "borrowObject", PATIENCE_MILLIS));
        }
        return total(source);
    }
}
