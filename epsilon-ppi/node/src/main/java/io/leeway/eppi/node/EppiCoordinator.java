package io.leeway.eppi.node;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.metrics.Meters;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.session.Coordinator;
import io.leeway.eppi.internal.web.Site;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A coordinator: computes with shares of memberships, together with the others. Thread-safe.
 *
 * @since 0.1
 */
public final class EppiCoordinator implements AutoCloseable {

    private static final Logger LOG = System.getLogger(EppiCoordinator.class.getName());

    private final Coordinator coordinator;
    private final Optional<Site> site;
    private final ScheduledExecutorService timer;

    private EppiCoordinator(Coordinator coordinator, Optional<Site> site, ScheduledExecutorService timer) {
        this.coordinator = coordinator;
        this.site = site;
        this.timer = timer;
    }

    /**
     * Starts a coordinator.
     *
     * @param options see {@link EppiOptions}
     * @throws EppiException with {@link Code#CONFIGURATION} and all faults
     */
    public static EppiCoordinator start(Map<String, String> options) {
        Settings settings = Settings.of(
                options,
                EppiOptions.NAME,
                EppiOptions.ROSTER,
                EppiOptions.KEY,
                EppiOptions.STATE,
                EppiOptions.REGISTER);
        var meters = new Meters();
        var coordinator = new Coordinator(settings, new Net(settings, meters));
        String http = settings.get(EppiOptions.HTTP);
        Optional<Site> site = site(http, coordinator, meters);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "eppi-timer");
            thread.setDaemon(true);
            return thread;
        });
        long every = settings.get(EppiOptions.EVERY).toMillis();
        if (every > 0) {
            var unused = timer.scheduleWithFixedDelay(
                    () -> constructOnTime(coordinator), every, every, TimeUnit.MILLISECONDS);
        }
        return new EppiCoordinator(coordinator, site, timer);
    }

    private static Optional<Site> site(String http, Coordinator coordinator, Meters meters) {
        try {
            return http.isEmpty() ? Optional.empty() : Optional.of(Site.ofCoordinator(http, coordinator, meters));
        } catch (EppiException e) {
            // Half a node must not go on within somebody's process.
            coordinator.close();
            throw e;
        }
    }

    private static void constructOnTime(Coordinator coordinator) {
        try {
            coordinator.construct();
        } catch (EppiException e) {
            LOG.log(Level.WARNING, "there is no new index: {0}", e.getMessage());
        }
    }

    /**
     * Constructs an index ({@code ConstructPPI}) and returns when it is served. Only the first coordinator of the roster can.
     *
     * @return the epoch of the new index
     * @throws EppiException why there is no new index; the old one is still served
     */
    public long construct() {
        return coordinator.construct();
    }

    /** Names of the providers that wait for a construction. */
    public Set<String> waiting() {
        return coordinator.waiting();
    }

    /** How far the construction is, in words. */
    public String progress() {
        return coordinator.progress().state().toString();
    }

    /** Where it answers HTTP, if it does. */
    public Optional<String> url() {
        return site.map(Site::entrance);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        site.ifPresent(Site::close);
        coordinator.close();
    }
}
