package io.leeway.autotune.internal.knobs;

/** The task pool of an XNIO worker, which Undertow runs blocking requests on; sizes are options of the worker. */
final class Xnio {

    private Xnio() {}

    static int threads(Object worker) throws ReflectiveOperationException {
        Object size = Reflect.call(worker, "getOption", option(worker, "WORKER_TASK_MAX_THREADS"));
        return size == null ? 0 : (Integer) size;
    }

    static void resize(Object worker, int size) throws ReflectiveOperationException {
        Object most = option(worker, "WORKER_TASK_MAX_THREADS");
        Object core = option(worker, "WORKER_TASK_CORE_THREADS");
        if (size > threads(worker)) {
            Reflect.call(worker, "setOption", most, size);
            Reflect.call(worker, "setOption", core, size);
        } else {
            Reflect.call(worker, "setOption", core, size);
            Reflect.call(worker, "setOption", most, size);
        }
    }

    private static Object option(Object worker, String name) throws ReflectiveOperationException {
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
