package io.leeway.autotune.internal.knobs;

import io.leeway.autotune.KnobSpec;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * From a pool that was seen to its knobs. Each adapter is the proof of one host's rules: which setter first, what is
 * looked at afterwards. Bounds are from a few to eight times the present size or 64, whichever is more.
 */
final class Adapters {

    private static final int AT_LEAST = 64;

    private Adapters() {}

    /** The knobs of an object; none if it is nothing that should be turned. */
    static List<LiveKnob> of(Object host) throws ReflectiveOperationException {
        String type = host.getClass().getName();
        if (isA(host, "com.zaxxer.hikari.pool.HikariPool")) {
            return List.of(hikari(host));
        }
        if (isA(host, "org.apache.commons.dbcp2.BasicDataSource")) {
            return List.of(dbcp(host));
        }
        if (isA(host, "org.apache.tomcat.util.net.AbstractEndpoint")) {
            // With an executor of the application's own the size is -1: that executor is found by itself.
            return Reflect.number(host, "getMaxThreads") < 1 ? List.of() : List.of(tomcat(host));
        }
        if (isA(host, "org.eclipse.jetty.util.thread.QueuedThreadPool")) {
            return List.of(jetty(host));
        }
        if (isA(host, "org.xnio.XnioWorker")) {
            return List.of(xnio(host));
        }
        if (isA(host, "io.agroal.pool.ConnectionPool")) {
            return List.of(agroal(host));
        }
        if (isA(host, "com.github.benmanes.caffeine.cache.BoundedLocalCache")) {
            return Caffeine.isBounded(host) ? List.of(caffeine(host)) : List.of();
        }
        if (isA(host, "http.impl.conn.PoolingHttpClientConnectionManager")
                || isA(host, "client5.http.impl.io.PoolingHttpClientConnectionManager")
                || isA(host, "client5.http.impl.nio.PoolingAsyncClientConnectionManager")) {
            return List.of(
                    connections(host, "httpclient.connections", "MaxTotal"),
                    connections(host, "httpclient.connections-per-route", "DefaultMaxPerRoute"));
        }
        if (isA(host, "okhttp3.Dispatcher")) {
            return List.of(
                    connections(host, "okhttp.requests", "MaxRequests"),
                    connections(host, "okhttp.requests-per-host", "MaxRequestsPerHost"));
        }
        if (isA(host, "org.jboss.threads.EnhancedQueueExecutor")) {
            return jboss(host);
        }
        if (isA(host, "io.netty.channel.SingleThreadEventLoop")) {
            return netty(host);
        }
        if (host instanceof ThreadPoolExecutor pool && isOfTheApplication(type)) {
            return executor(pool);
        }
        return List.of();
    }

    private static boolean isA(Object host, String name) {
        for (Class<?> type = host.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().endsWith(name)) {
                return true;
            }
        }
        return false;
    }

    /** Servers resize their own executors through themselves; schedulers have no maximum. */
    private static boolean isOfTheApplication(String type) {
        return !type.contains("org.apache.tomcat.")
                && !type.contains("org.xnio.")
                && !type.contains("org.jboss.threads.")
                && !type.contains("ScheduledThreadPoolExecutor");
    }

    private static KnobSpec size(String name, int present, int least, String rule) {
        int most = (int) Math.min(10_000L, Math.max(AT_LEAST, 8L * present));
        return KnobSpec.size(name, Math.min(least, present), most, rule);
    }

    private static List<LiveKnob> executor(ThreadPoolExecutor pool) {
        // A pool of one thread is there for the order of what it runs.
        if (pool.getMaximumPoolSize() <= 1) {
            return List.of();
        }
        boolean unbounded = pool.getQueue().remainingCapacity() > 1_000_000;
        boolean direct =
                pool.getQueue().remainingCapacity() == 0 && pool.getQueue().isEmpty();
        if (direct && pool.getMaximumPoolSize() > 10_000) {
            // Cached pools have as many threads as there is work; their core has no effect.
            return List.of();
        }
        String name = "executor." + ThreadNames.of(pool) + ".threads";
        int present = pool.getCorePoolSize();
        boolean fixed = pool.getCorePoolSize() == pool.getMaximumPoolSize();
        int most = pool.getMaximumPoolSize();
        KnobSpec spec = size(
                name,
                Math.max(1, present),
                2,
                "growing: maximum, then core; shrinking: core, then maximum; seen when so many threads are left");
        return List.of(new PoolKnob<>(
                spec,
                pool,
                ThreadPoolExecutor::getCorePoolSize,
                (executor, size) -> resize(executor, size, fixed || unbounded ? size : Math.max(most, size)),
                // Threads above the core of a pool that grows beyond it are not surplus.
                executor -> fixed || unbounded ? executor.getPoolSize() : 0));
    }

    private static void resize(ThreadPoolExecutor pool, int core, int most) {
        if (core > pool.getMaximumPoolSize()) {
            pool.setMaximumPoolSize(most);
            pool.setCorePoolSize(core);
        } else {
            pool.setCorePoolSize(core);
            pool.setMaximumPoolSize(most);
        }
    }

    private static LiveKnob hikari(Object pool) throws ReflectiveOperationException {
        Object config = Reflect.field(pool, "config");
        String name = clean(String.valueOf(Reflect.call(config, "getPoolName")), "HikariPool-");
        KnobSpec spec = size(
                "hikari." + name + "size",
                Reflect.number(config, "getMaximumPoolSize"),
                2,
                "growing: maximum, then idle; shrinking: idle, then maximum, then surplus connections are evicted one"
                        + " by one, never the last");
        boolean follows = Reflect.number(config, "getMinimumIdle") == Reflect.number(config, "getMaximumPoolSize");
        return new PoolKnob<>(
                spec,
                pool,
                host -> Reflect.number(Reflect.field(host, "config"), "getMaximumPoolSize"),
                (host, size) -> Hikari.resize(host, size, follows),
                Hikari::settled);
    }

    private static LiveKnob dbcp(Object source) throws ReflectiveOperationException {
        KnobSpec spec = size(
                "dbcp.size",
                Reflect.number(source, "getMaxTotal"),
                2,
                "growing: total, then idle; shrinking: idle, then total; surplus connections are closed on return");
        return new PoolKnob<>(
                spec,
                source,
                host -> Reflect.number(host, "getMaxTotal"),
                (host, size) -> {
                    if (size < Reflect.number(host, "getMaxTotal")) {
                        Reflect.call(host, "setMaxIdle", size);
                        Reflect.call(host, "setMaxTotal", size);
                    } else {
                        Reflect.call(host, "setMaxTotal", size);
                        Reflect.call(host, "setMaxIdle", size);
                    }
                },
                host -> Reflect.number(host, "getNumActive") + Reflect.number(host, "getNumIdle"));
    }

    private static LiveKnob tomcat(Object endpoint) throws ReflectiveOperationException {
        KnobSpec spec = size(
                "tomcat.threads",
                Reflect.number(endpoint, "getMaxThreads"),
                2,
                "growing: maximum; shrinking: spare threads, then maximum; seen when so many threads are left");
        return new PoolKnob<>(
                spec,
                endpoint,
                host -> Reflect.number(host, "getMaxThreads"),
                (host, size) -> {
                    // Lowering the spare threads for good would leave them low when the pool grows again.
                    if (Reflect.number(host, "getMinSpareThreads") > size) {
                        Reflect.call(host, "setMinSpareThreads", size);
                    }
                    Reflect.call(host, "setMaxThreads", size);
                },
                host -> Reflect.number(host, "getCurrentThreadCount"));
    }

    private static LiveKnob jetty(Object pool) throws ReflectiveOperationException {
        KnobSpec spec = size(
                "jetty.threads",
                Reflect.number(pool, "getMaxThreads"),
                4,
                "growing: maximum; shrinking: minimum, then maximum; Jetty refuses less than it has leased");
        return new PoolKnob<>(
                spec,
                pool,
                host -> Reflect.number(host, "getMaxThreads"),
                (host, size) -> {
                    if (Reflect.number(host, "getMinThreads") > size) {
                        Reflect.call(host, "setMinThreads", size);
                    }
                    Reflect.call(host, "setMaxThreads", size);
                },
                // Threads above the maximum leave when they are idle for a while; the maximum holds for new ones at
                // once.
                host -> 0);
    }

    private static LiveKnob xnio(Object worker) throws ReflectiveOperationException {
        KnobSpec spec = size(
                "undertow.worker.threads",
                Xnio.threads(worker),
                2,
                "growing: maximum, then core; shrinking: core, then maximum");
        return new PoolKnob<>(spec, worker, Xnio::threads, Xnio::resize, host -> 0);
    }

    private static LiveKnob agroal(Object pool) throws ReflectiveOperationException {
        KnobSpec spec = size(
                "agroal.size",
                Agroal.size(pool),
                2,
                "growing: maximum; shrinking: minimum, then maximum; surplus connections are closed on return");
        return new PoolKnob<>(spec, pool, Agroal::size, Agroal::resize, host -> 0);
    }

    private static LiveKnob caffeine(Object cache) throws ReflectiveOperationException {
        int present = Caffeine.size(cache);
        KnobSpec spec = KnobSpec.size(
                Caffeine.isWeighted(cache) ? "caffeine.weight" : "caffeine.entries",
                Math.max(1, present / 8),
                (int) Math.min(Integer.MAX_VALUE, 8L * present),
                "maximum under the cache's lock, then clean-up; seen when so much is left");
        return new PoolKnob<>(spec, cache, Caffeine::size, Caffeine::resize, Caffeine::present);
    }

    /** Limits of HTTP clients: read at each request, so that the setting itself is what can be looked at. */
    private static LiveKnob connections(Object client, String name, String property)
            throws ReflectiveOperationException {
        KnobSpec spec = size(
                name, Reflect.number(client, "get" + property), 1, "at once for new requests; those in flight go on");
        return new PoolKnob<>(
                spec,
                client,
                host -> Reflect.number(host, "get" + property),
                (host, limit) -> Reflect.call(host, "set" + property, limit),
                host -> 0);
    }

    /** Threads of Quarkus and WildFly; those that XNIO works with are turned through its worker. */
    private static List<LiveKnob> jboss(Object executor) throws ReflectiveOperationException {
        Object factory = Reflect.field(executor, "threadFactory");
        int present = Reflect.number(executor, "getMaximumPoolSize");
        if (factory.getClass().getName().contains("xnio") || present <= 1) {
            return List.of();
        }
        KnobSpec spec = size(
                "jboss.threads",
                present,
                2,
                "growing: maximum; shrinking: core, then maximum; surplus threads leave when they have been idle");
        return List.of(new PoolKnob<>(
                spec,
                executor,
                host -> Reflect.number(host, "getMaximumPoolSize"),
                (host, size) -> {
                    if (Reflect.number(host, "getCorePoolSize") > size) {
                        Reflect.call(host, "setCorePoolSize", size);
                    }
                    Reflect.call(host, "setMaximumPoolSize", size);
                },
                host -> 0));
    }

    /** The number of a group's loops is fixed when it is made; what share of its time a loop gives to sockets is not. */
    private static List<LiveKnob> netty(Object loop) throws ReflectiveOperationException {
        Object group = Reflect.call(loop, "parent");
        // Loops of Netty 4.2 have the setter still, and do nothing.
        if (group == null
                || isA(loop, "io.netty.channel.SingleThreadIoEventLoop")
                || !Reflect.has(loop, "getIoRatio")
                || !Reflect.has(group, "setIoRatio")) {
            return List.of();
        }
        KnobSpec spec = KnobSpec.size(
                "netty.io-ratio", 10, 100, "per cent of a loop's time for sockets, on all loops of its group");
        return List.of(new PoolKnob<>(
                spec,
                group,
                host -> Reflect.number(Reflect.call(host, "next"), "getIoRatio"),
                (host, ratio) -> Reflect.call(host, "setIoRatio", ratio),
                host -> 0));
    }

    /** A pool's name as part of a knob's, with a dot; nothing if it is one that the library makes up. */
    private static String clean(String name, String madeUp) {
        return name.startsWith(madeUp) || "null".equals(name)
                ? ""
                : name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".";
    }
}
