package io.leeway.autotune;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** A service with Micrometer's registry, which answers with all of its meters. */
final class HostWithMetrics {

    private HostWithMetrics() {}

    public static void main(String[] arguments) throws IOException {
        var registry = new SimpleMeterRegistry();
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", exchange -> {
            try (exchange) {
                var text = new StringBuilder();
                for (Meter meter : registry.getMeters()) {
                    text.append(meter.getId().getName())
                            .append(meter.getId().getTags())
                            .append(meter.measure())
                            .append('\n');
                }
                byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }
}
