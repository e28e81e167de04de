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
            // Negative is without a limit.
            return Reflect.number(host, "getMaxTotal") < 1 ? List.of() : List.of(dbcp(host));
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
                    connections(host, "httpclient.connections", "MaxTotal", Adapters::leased),
                    connections(host, "httpclient.connections-per-route", "DefaultMaxPerRoute", client -> 0));
        }
        if (isA(host, "okhttp3.Dispatcher")) {
            return List.of(
                    connections(
                            host,
                            "okhttp.requests",
                            "MaxRequests",
                            dispatcher -> Reflect.number(dispatcher, "runningCallsCount")),
                    connections(host, "okhttp.requests-per-host", "MaxRequestsPerHost", dispatcher -> 0));
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
        int idle = Reflect.number(config, "getMinimumIdle");
        boolean follows = idle == Reflect.number(config, "getMaximumPoolSize");
        return new PoolKnob<>(
                spec,
                pool,
                host -> Reflect.number(Reflect.field(host, "config"), "getMaximumPoolSize"),
                (host, size) -> Hikari.resize(host, size, follows ? size : Math.min(idle, size)),
                Hikari::settled);
    }

    private static LiveKnob dbcp(Object source) throws ReflectiveOperationException {
        int present = Reflect.number(source, "getMaxTotal");
        int idle = Reflect.number(source, "getMaxIdle");
        boolean follows = idle < 0 || idle >= present;
        KnobSpec spec = size(
                "dbcp.size",
                present,
                2,
                "growing: total, then idle; shrinking: idle, then total, then idle connections are closed one by one,"
                        + " others on return");
        return new PoolKnob<>(
                spec,
                source,
                host -> Reflect.number(host, "getMaxTotal"),
                (host, size) -> Dbcp.resize(host, size, idle, follows),
                Dbcp::settled);
    }

    private static LiveKnob tomcat(Object endpoint) throws ReflectiveOperationException {
        int spare = Reflect.number(endpoint, "getMinSpareThreads");
        KnobSpec spec = size(
                "tomcat.threads",
                Reflect.number(endpoint, "getMaxThreads"),
                2,
                "growing: maximum, then spare threads; shrinking: spare threads, then maximum; seen when so many threads"
                        + " are left");
        return new PoolKnob<>(
                spec,
                endpoint,
                host -> Reflect.number(host, "getMaxThreads"),
                (host, size) -> {
                    if (size < Reflect.number(host, "getMaxThreads")) {
                        Reflect.call(host, "setMinSpareThreads", Math.min(spare, size));
                        Reflect.call(host, "setMaxThreads", size);
                    } else {
                        Reflect.call(host, "setMaxThreads", size);
                        Reflect.call(host, "setMinSpareThreads", Math.min(spare, size));
                    }
                },
                host -> Reflect.number(host, "getCurrentThreadCount"));
    }

    private static LiveKnob jetty(Object pool) throws ReflectiveOperationException {
        int least = Reflect.number(pool, "getMinThreads");
        KnobSpec spec = size(
                "jetty.threads",
                Jetty.most(pool),
                4,
                "growing: maximum, then minimum; shrinking: minimum, then maximum, then idle threads leave; seen when so"
                        + " many threads are left; Jetty refuses less than it has leased");
        return new PoolKnob<>(spec, pool, Jetty::most, (host, size) -> Jetty.resize(host, size, least), Jetty::settled);
    }

    private static LiveKnob xnio(Object worker) throws ReflectiveOperationException {
        int core = Xnio.core(worker);
        boolean follows = core >= Xnio.threads(worker);
        KnobSpec spec = size(
                "undertow.worker.threads",
                Xnio.threads(worker),
                2,
                "growing: maximum, then core; shrinking: core, then maximum, then idle threads leave; seen when so many"
                        + " threads are left");
        return new PoolKnob<>(
                spec, worker, Xnio::threads, (host, size) -> Xnio.resize(host, size, core, follows), Xnio::settled);
    }

    private static LiveKnob agroal(Object pool) throws ReflectiveOperationException {
        int least = Agroal.least(pool);
        KnobSpec spec = size(
                "agroal.size",
                Agroal.size(pool),
                2,
                "growing: maximum, then minimum; shrinking: minimum, then maximum, then idle connections are closed,"
                        + " others on return");
        return new PoolKnob<>(
                spec, pool, Agroal::size, (host, size) -> Agroal.resize(host, size, least), Agroal::settled);
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

    /**
     * Limits of HTTP clients, which are read at each request.
     *
     * @param present what is in use, where the client can tell; nothing of a single route or host can be looked at
     */
    private static LiveKnob connections(Object client, String name, String property, PoolKnob.Reader<Object> present)
            throws ReflectiveOperationException {
        KnobSpec spec = size(
                name, Reflect.number(client, "get" + property), 1, "at once for new requests; those in flight go on");
        return new PoolKnob<>(
                spec,
                client,
                host -> Reflect.number(host, "get" + property),
                (host, limit) -> Reflect.call(host, "set" + property, limit),
                present);
    }

    private static int leased(Object manager) throws ReflectiveOperationException {
        return Reflect.number(Reflect.call(manager, "getTotalStats"), "getLeased");
    }

    /** Threads of Quarkus and WildFly; those that XNIO works with are turned through its worker. */
    private static List<LiveKnob> jboss(Object executor) throws ReflectiveOperationException {
        Object factory = Reflect.field(executor, "threadFactory");
        int present = Reflect.number(executor, "getMaximumPoolSize");
        if (factory.getClass().getName().contains("xnio") || present <= 1) {
            return List.of();
        }
        int core = Reflect.number(executor, "getCorePoolSize");
        KnobSpec spec = size(
                "jboss.threads",
                present,
                2,
                "growing: maximum, then core; shrinking: core, then maximum, then idle threads leave; seen when so many"
                        + " threads are left");
        return List.of(new PoolKnob<>(
                spec,
                executor,
                host -> Reflect.number(host, "getMaximumPoolSize"),
                (host, size) -> JBossThreads.resize(host, size, core, core >= present),
                JBossThreads::settled));
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
