package io.leeway.autotune.services;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Sends a service's spans in Zipkin's format, twice a second; what cannot be sent is dropped. */
final class Spans {

    private static final int MOST = 20_000;

    private final String service;
    private final URI target;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private List<String> waiting = new ArrayList<>();

    Spans(String service, URI target) {
        this.service = service;
        this.target = target;
        var timer = Executors.newSingleThreadScheduledExecutor(task -> {
            var thread = new Thread(task, "spans");
            thread.setDaemon(true);
            return thread;
        });
        var unused = timer.scheduleWithFixedDelay(this::send, 500, 500, TimeUnit.MILLISECONDS);
        Runtime.getRuntime().addShutdownHook(new Thread(this::send));
    }

    synchronized void add(String trace, String id, String parent, String operation, long start, long micros) {
        if (waiting.size() < MOST) {
            String caller = parent.isEmpty() ? "" : "\"parentId\":\"" + parent + "\",";
            waiting.add("{\"traceId\":\"" + trace + "\",\"id\":\"" + id + "\"," + caller
                    + "\"kind\":\"SERVER\",\"name\":\"" + operation.replaceAll("[^\\w/.-]", "_") + "\",\"timestamp\":"
                    + start + ",\"duration\":" + Math.max(1, micros) + ",\"localEndpoint\":{\"serviceName\":\""
                    + service
                    + "\"}}");
        }
    }

    private synchronized List<String> take() {
        List<String> taken = waiting;
        waiting = new ArrayList<>();
        return taken;
    }

    private void send() {
        List<String> taken = take();
        if (taken.isEmpty()) {
            return;
        }
        HttpRequest request = HttpRequest.newBuilder(target)
                .timeout(Duration.ofSeconds(2))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("[" + String.join(",", taken) + "]"))
                .build();
        try {
            client.send(request, HttpResponse.BodyHandlers.discarding());
        } catch (java.io.IOException e) {
            // Nobody listens: a service does not suffer for it.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
