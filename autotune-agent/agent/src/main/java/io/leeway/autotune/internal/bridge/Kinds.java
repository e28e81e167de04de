package io.leeway.autotune.internal.bridge;

/** What Netty's messages and Jetty's jobs are, by the interfaces of their class; found once a class. */
final class Kinds extends ClassValue<Integer> {

    static final int REQUEST = 1;
    static final int RESPONSE = 2;
    static final int LAST = 4;
    private static final int PRODUCER = 8;

    private static final String HTTP = "io.netty.handler.codec.http.";

    /** No configuration. */
    Kinds() {}

    @Override
    protected Integer computeValue(Class<?> type) {
        int kinds = 0;
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            kinds |= of(each.getName());
            for (Class<?> implemented : each.getInterfaces()) {
                kinds |= of(implemented.getName()) | get(implemented);
            }
        }
        return kinds;
    }

    /** Whether a job of Jetty is one that runs further jobs: a strategy that produces them, a thread held in reserve. */
    boolean isProducer(Class<?> type) {
        return (get(type) & PRODUCER) != 0;
    }

    /** Libraries that others have relocated end so too. */
    private static int of(String name) {
        if (name.endsWith("org.eclipse.jetty.util.thread.ExecutionStrategy")
                || name.endsWith("org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread")) {
            return PRODUCER;
        }
        return name.endsWith(HTTP + "HttpRequest")
                ? REQUEST
                : name.endsWith(HTTP + "HttpResponse") ? RESPONSE : name.endsWith(HTTP + "LastHttpContent") ? LAST : 0;
    }
}
