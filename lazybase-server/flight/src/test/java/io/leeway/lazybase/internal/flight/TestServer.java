package io.leeway.lazybase.internal.flight;

import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.LazyBaseServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.flight.Location;

/** A server with this door, in this process. */
final class TestServer {

    private TestServer() {}

    static LazyBaseServer start(Path directory, Map<String, String> more) {
        var options = new HashMap<String, String>();
        options.put("lazybase.directory", directory.resolve("data").toString());
        options.put("lazybase.pg.port", "0");
        options.put("lazybase.flight.port", "0");
        options.put("lazybase.web.port", "-1");
        options.put("lazybase.store.reserve", "0B");
        options.putAll(more);
        return LazyBaseServer.start(LazyBaseOptions.of(options));
    }

    static Location location(LazyBaseServer server) {
        return new Location(URI.create(server.flightUri()));
    }
}
