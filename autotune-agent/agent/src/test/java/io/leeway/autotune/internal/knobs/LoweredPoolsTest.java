package io.leeway.autotune.internal.knobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.leeway.autotune.AutoTuneOptions;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.apache.catalina.startup.Tomcat;
import org.apache.commons.dbcp2.BasicDataSource;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jboss.threads.EnhancedQueueExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.XnioWorker;

/**
 * A pool that was large and is made smaller is small when the change is said to be done: what is looked at is what is
 * there. On the libraries themselves.
 */
class LoweredPoolsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LARGE = 40;
    private static final int SMALL = 10;

    private static KnobRegistry knobs(Object host) {
        return knobs(host, PATIENCE);
    }

    private static KnobRegistry knobs(Object host, Duration patience) {
        var registry = new KnobRegistry(AutoTuneOptions.defaults(), line -> {}, patience.toNanos());
        registry.found(host);
        assertThat(registry.specs()).isNotEmpty();
        return registry;
    }

    private static Setting setting(String knob, int value) {
        return new Setting(Map.of(knob, KnobValue.of(value)));
    }

    /** Tasks that wait for each other need a thread each. */
    private static void needThreads(Executor executor, int threads) {
        var here = new CountDownLatch(threads);
        var over = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            executor.execute(() -> {
                here.countDown();
                met(here);
                over.countDown();
            });
        }
        assertThat(met(over)).isTrue();
    }

    private static boolean met(CountDownLatch latch) {
        try {
            return latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many of this JVM's threads have such a name. */
    private static long threadsCalled(String part) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains(part))
                .count();
    }

    @Test
    void jetty() throws Exception {
        var pool = new QueuedThreadPool(LARGE, 8);
        pool.start();
        try {
            needThreads(pool, LARGE);
            KnobRegistry knobs = knobs(pool);
            for (int size : List.of(SMALL, 4)) {
                knobs.write(setting("jetty.threads", size));
                assertThat(pool.getThreads()).isLessThanOrEqualTo(size);
            }
            assertThat(pool.getIdleTimeout()).isEqualTo(60_000);

            knobs.write(setting("jetty.threads", LARGE));
            assertThat(pool.getMinThreads()).isEqualTo(8);
            needThreads(pool, LARGE);
        } finally {
            pool.stop();
        }
    }

    @Test
    void jettyWaitsForThreadsAtWorkAndLeavesThemAlone() throws Exception {
        var pool = new QueuedThreadPool(LARGE, 8);
        pool.start();
        try {
            needThreads(pool, LARGE);
            var release = new CountDownLatch(1);
            var here = new CountDownLatch(20);
            var over = new CountDownLatch(20);
            for (int i = 0; i < 20; i++) {
                pool.execute(() -> {
                    here.countDown();
                    if (met(release)) {
                        over.countDown();
                    }
                });
            }
            met(here);

            assertThatThrownBy(() -> knobs(pool, Duration.ofMillis(300)).write(setting("jetty.threads", SMALL)))
                    .hasMessageContaining("AUTOTUNE-3002")
                    .hasMessageContaining("seen: size 10 with");
            assertThat(pool.getMaxThreads()).isEqualTo(LARGE);

            KnobRegistry knobs = knobs(pool);
            var written = CompletableFuture.runAsync(() -> knobs.write(setting("jetty.threads", SMALL)));
            await().atMost(PATIENCE).until(() -> pool.getMaxThreads() == SMALL);
            release.countDown();
            written.join();
            assertThat(pool.getThreads()).isLessThanOrEqualTo(SMALL);
            assertThat(met(over)).isTrue();
        } finally {
            pool.stop();
        }
    }

    /** A pool that always has a job waiting lets no thread go by itself. */
    @Test
    void jettyThatIsNeverIdleWorksWithNoMoreThreadsThanItMay() throws Exception {
        var pool = new QueuedThreadPool(LARGE, 8) {
            @Override
            protected void runJob(Runnable job) {
                super.runJob(job);
                // Where the agent's advice does.
                KnobRegistry.worked(this);
            }
        };
        pool.start();
        try {
            var over = new AtomicBoolean();
            var working = new AtomicInteger();
            var mostSince = new AtomicInteger();
            var job = new Runnable() {
                @Override
                public void run() {
                    mostSince.accumulateAndGet(working.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(2_000_000);
                    working.decrementAndGet();
                    if (!over.get()) {
                        pool.execute(this);
                    }
                }
            };
            for (int i = 0; i < 400; i++) {
                pool.execute(job);
            }
            await().atMost(PATIENCE).until(() -> mostSince.get() == LARGE);

            KnobRegistry knobs = knobs(pool);
            knobs.write(setting("jetty.threads", SMALL));
            mostSince.set(0);
            var done = new CountDownLatch(200);
            for (int i = 0; i < 200; i++) {
                pool.execute(done::countDown);
            }
            assertThat(met(done)).isTrue();
            assertThat(mostSince.get()).isBetween(1, SMALL);

            knobs.write(setting("jetty.threads", LARGE));
            mostSince.set(0);
            await().atMost(PATIENCE).until(() -> mostSince.get() > SMALL);
            knobs.write(setting("jetty.threads", SMALL));
            over.set(true);
            await().atMost(PATIENCE).until(() -> pool.getThreads() <= SMALL);
        } finally {
            pool.stop();
        }
    }

    @Test
    void undertow() throws Exception {
        XnioWorker worker = org.xnio.Xnio.getInstance()
                .createWorker(OptionMap.builder()
                        .set(Options.WORKER_NAME, "lowered")
                        .set(Options.WORKER_TASK_MAX_THREADS, LARGE)
                        .set(Options.WORKER_TASK_CORE_THREADS, LARGE)
                        .getMap());
        try {
            needThreads(worker, LARGE);
            KnobRegistry knobs = knobs(worker);
            knobs.write(setting("undertow.worker.threads", SMALL));
            // What is not counted any more may still be about to end.
            await().atMost(PATIENCE).until(() -> threadsCalled("lowered task") <= SMALL);

            knobs.write(setting("undertow.worker.threads", LARGE));
            needThreads(worker, LARGE);
        } finally {
            worker.shutdownNow();
        }
    }

    @Test
    void jboss() {
        EnhancedQueueExecutor executor = new EnhancedQueueExecutor.Builder()
                .setCorePoolSize(6)
                .setMaximumPoolSize(LARGE)
                .build();
        try {
            needThreads(executor, LARGE);
            KnobRegistry knobs = knobs(executor);
            for (int size : List.of(SMALL, 3)) {
                knobs.write(setting("jboss.threads", size));
                assertThat(executor.getPoolSize()).isLessThanOrEqualTo(size);
            }

            knobs.write(setting("jboss.threads", LARGE));
            assertThat(executor.getCorePoolSize()).isEqualTo(6);
            needThreads(executor, LARGE);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void jdk() {
        var executor = new ThreadPoolExecutor(LARGE, LARGE, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>());
        try {
            needThreads(executor, LARGE);
            KnobRegistry knobs = knobs(executor);
            String knob = knobs.specs().stream()
                    .map(KnobSpec::name)
                    .filter(name -> name.startsWith("executor."))
                    .findFirst()
                    .orElseThrow();
            knobs.write(setting(knob, SMALL));
            assertThat(executor.getPoolSize()).isLessThanOrEqualTo(SMALL);

            knobs.write(setting(knob, LARGE));
            needThreads(executor, LARGE);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void tomcat(@TempDir Path directory) throws Exception {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", Integer.toString(LARGE));
        tomcat.getConnector().setProperty("minSpareThreads", "20");
        tomcat.addContext("", null);
        tomcat.start();
        try {
            needThreads(tomcat.getConnector().getProtocolHandler().getExecutor(), LARGE);
            Object endpoint = Reflect.hidden(tomcat.getConnector().getProtocolHandler(), "getEndpoint");
            KnobRegistry knobs = knobs(endpoint);
            knobs.write(setting("tomcat.threads", SMALL));
            await().atMost(PATIENCE).until(() -> threadsCalled("-exec-") <= SMALL);

            knobs.write(setting("tomcat.threads", LARGE));
            assertThat(Reflect.number(endpoint, "getMinSpareThreads")).isEqualTo(20);
            needThreads(tomcat.getConnector().getProtocolHandler().getExecutor(), LARGE);
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    /** Opens so many connections at once and gives them back. */
    private static void needConnections(DataSource source, int connections) throws SQLException {
        var open = new ArrayList<Connection>();
        try {
            for (int i = 0; i < connections; i++) {
                open.add(source.getConnection());
            }
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
    }

    @Test
    void hikari() throws Exception {
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:lowered-hikari");
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(5);
        try (var source = new HikariDataSource(config)) {
            needConnections(source, 20);
            KnobRegistry knobs = knobs(Reflect.field(source, List.of("pool")));
            knobs.write(setting("hikari.size", 3));
            assertThat(source.getHikariPoolMXBean().getTotalConnections()).isLessThanOrEqualTo(3);

            knobs.write(setting("hikari.size", 20));
            assertThat(source.getMinimumIdle()).isEqualTo(5);
            needConnections(source, 20);
        }
    }

    @Test
    void dbcp() throws Exception {
        try (var source = new BasicDataSource()) {
            source.setUrl("jdbc:h2:mem:lowered-dbcp;DB_CLOSE_DELAY=-1");
            source.setMaxTotal(20);
            source.setMaxIdle(20);
            needConnections(source, 20);
            KnobRegistry knobs = knobs(source);
            try (Connection held = source.getConnection()) {
                knobs.write(setting("dbcp.size", 3));
                assertThat(source.getNumIdle() + source.getNumActive()).isLessThanOrEqualTo(3);
                assertThat(held.isValid(1)).isTrue();
            }

            knobs.write(setting("dbcp.size", 20));
            assertThat(source.getMaxIdle()).isEqualTo(20);
            needConnections(source, 20);
        }
    }

    @Test
    void agroal() throws Exception {
        try (AgroalDataSource source = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .metricsEnabled()
                .connectionPoolConfiguration(pool -> pool.maxSize(20)
                        .minSize(5)
                        .acquisitionTimeout(Duration.ofSeconds(60))
                        .connectionFactoryConfiguration(
                                factory -> factory.jdbcUrl("jdbc:h2:mem:lowered-agroal;DB_CLOSE_DELAY=-1"))))) {
            needConnections(source, 20);
            KnobRegistry knobs = knobs(Reflect.field(source, List.of("connectionPool")));
            knobs.write(setting("agroal.size", 3));
            assertThat(source.getMetrics().activeCount() + source.getMetrics().availableCount())
                    .isLessThanOrEqualTo(3);

            knobs.write(setting("agroal.size", 20));
            assertThat(source.getConfiguration().connectionPoolConfiguration().minSize())
                    .isEqualTo(5);
            needConnections(source, 20);
        }
    }
}
