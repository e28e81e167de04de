package io.leeway.eppi.node;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.metrics.Meters;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.server.IndexServer;
import io.leeway.eppi.internal.web.Site;
import java.util.Map;

/**
 * The index server: serves the newest index that all coordinators signed, to whoever asks. Thread-safe.
 *
 * @since 0.1
 */
public final class EppiIndexServer implements AutoCloseable {

    private final IndexServer server;
    private final Site site;

    private EppiIndexServer(IndexServer server, Site site) {
        this.server = server;
        this.site = site;
    }

    /**
     * Starts a server.
     *
     * @param options see {@link EppiOptions}; it needs {@link EppiOptions#HTTP}
     * @throws EppiException with {@link Code#CONFIGURATION} and all faults
     */
    public static EppiIndexServer start(Map<String, String> options) {
        Settings settings = Settings.of(
                options, EppiOptions.NAME, EppiOptions.ROSTER, EppiOptions.KEY, EppiOptions.STATE, EppiOptions.HTTP);
        var meters = new Meters();
        String http = settings.required(EppiOptions.HTTP);
        var server = new IndexServer(settings, new Net(settings, meters));
        try {
            return new EppiIndexServer(server, Site.ofIndex(http, server, meters));
        } catch (EppiException e) {
            // Half a node must not go on within somebody's process.
            server.close();
            throw e;
        }
    }

    /** Whether there is an index. */
    public boolean hasIndex() {
        return server.hasIndex();
    }

    /** Where it answers HTTP. */
    public String url() {
        return site.url();
    }

    @Override
    public void close() {
        site.close();
        server.close();
    }
}
