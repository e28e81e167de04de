package io.leeway.autotune.internal.knobs;

/** The task pool of an XNIO worker, which Undertow runs blocking requests on; sizes are options of the worker. */
final class Xnio {

    private static final String MOST = "WORKER_TASK_MAX_THREADS";
    private static final String CORE = "WORKER_TASK_CORE_THREADS";

    private Xnio() {}

    static int threads(Object worker) throws ReflectiveOperationException {
        return option(worker, MOST);
    }

    static int core(Object worker) throws ReflectiveOperationException {
        return option(worker, CORE);
    }

    /** The core is what the application has it be, but not above the maximum; where both were alike they stay so. */
    static void resize(Object worker, int size, int core, boolean coreFollows) throws ReflectiveOperationException {
        int least = coreFollows ? size : Math.min(core, size);
        if (size > threads(worker)) {
            Reflect.call(worker, "setOption", named(worker, MOST), size);
            Reflect.call(worker, "setOption", named(worker, CORE), least);
        } else {
            Reflect.call(worker, "setOption", named(worker, CORE), least);
            Reflect.call(worker, "setOption", named(worker, MOST), size);
        }
    }

    /** How many threads there are; those that are too many and idle leave now. */
    static int settled(Object worker) throws ReflectiveOperationException {
        Object pool = Reflect.field(worker, "taskPool");
        Object executor = Reflect.fieldIfAny(pool, "executor");
        if (executor != null && executor.getClass().getName().endsWith("org.jboss.threads.EnhancedQueueExecutor")) {
            return JBossThreads.settled(executor);
        }
        return ((Number) Reflect.hidden(pool, "getPoolSize")).intValue();
    }

    private static int option(Object worker, String name) throws ReflectiveOperationException {
        Object size = Reflect.call(worker, "getOption", named(worker, name));
        return size == null ? 0 : (Integer) size;
    }

    private static Object named(Object worker, String name) throws ReflectiveOperationException {
        Class<?> type = worker.getClass();
        while (!type.getName().endsWith("org.xnio.XnioWorker")) {
            type = type.getSuperclass();
        }
        String options = type.getName().replace("XnioWorker", "Options");
        return Class.forName(options, true, type.getClassLoader())
                .getField(name)
                .get(null);
    }
}
