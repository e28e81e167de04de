package io.leeway.eppi.node;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.metrics.Meters;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.provider.Provider;
import io.leeway.eppi.internal.search.Searcher;
import io.leeway.eppi.internal.web.Site;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/**
 * A provider's node, beside its database: takes part in constructions, answers searches of whom it allows to, and searches
 * for its own people. Thread-safe.
 *
 * @since 0.1
 */
public final class EppiProvider implements AutoCloseable {

    private final Provider provider;
    private final Optional<Site> site;

    private EppiProvider(Provider provider, Optional<Site> site) {
        this.provider = provider;
        this.site = site;
    }

    /**
     * Starts a node.
     *
     * @param options see {@link EppiOptions}
     * @throws EppiException with {@link Code#CONFIGURATION} and all faults
     */
    public static EppiProvider start(Map<String, String> options) {
        Settings settings = Settings.of(
                options,
                EppiOptions.NAME,
                EppiOptions.ROSTER,
                EppiOptions.KEY,
                EppiOptions.STATE,
                EppiOptions.NETWORK_KEY,
                EppiOptions.DATABASE_URL,
                EppiOptions.DATABASE_MEMBERS,
                EppiOptions.DATABASE_RECORDS);
        var meters = new Meters();
        var net = new Net(settings, meters);
        var provider = new Provider(settings, net, Clock.systemUTC());
        String http = settings.get(EppiOptions.HTTP);
        try {
            if (http.isEmpty()) {
                return new EppiProvider(provider, Optional.empty());
            }
            Optional<Searcher> searcher = settings.get(EppiOptions.INDEX).isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Searcher(settings, net, Provider.networkKey(settings)));
            return new EppiProvider(
                    provider,
                    Optional.of(Site.ofProvider(net.self().name(), http, provider.progress(), searcher, meters)));
        } catch (EppiException e) {
            // Half a node must not go on within somebody's process.
            provider.close();
            throw e;
        }
    }

    /** How far the construction is, in words. */
    public String progress() {
        return provider.progress().state().toString();
    }

    /** Where its pages are, with the secret that they ask for; if it has any. */
    public Optional<String> url() {
        return site.map(Site::entrance);
    }

    @Override
    public void close() {
        site.ifPresent(Site::close);
        provider.close();
    }
}
