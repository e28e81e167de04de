package io.leeway.it.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.rest.RESTServer;

/** HBase's REST server in this JVM, on loopback, and a client of it. */
final class RestGateway implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RESTServer server;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    private RestGateway(RESTServer server) {
        this.server = server;
    }

    static RestGateway start(Configuration cluster) throws Exception {
        // Else the JAXB that it brings makes classes in a way that newer JVMs forbid.
        System.setProperty("com.sun.xml.bind.v2.bytecode.ClassTailor.noOptimize", "true");
        var settings = new Configuration(cluster);
        settings.set("hbase.rest.host", "127.0.0.1");
        settings.setInt("hbase.rest.port", 0);
        settings.setInt("hbase.rest.info.port", -1);
        var server = new RESTServer(settings);
        server.run();
        return new RestGateway(server);
    }

    /** One cell. */
    void put(TableName table, String row, String column, String value) throws IOException, InterruptedException {
        send(table + "/" + row + "/" + column, "PUT", "application/octet-stream", BodyPublishers.ofString(value));
    }

    /** A cell of each of several rows, in one request. */
    void put(TableName table, Map<String, String> valuesByRow, String column) throws IOException, InterruptedException {
        String rows = valuesByRow.entrySet().stream()
                .map(row -> "{\"key\":\"" + base64(row.getKey()) + "\",\"Cell\":[{\"column\":\"" + base64(column)
                        + "\",\"$\":\"" + base64(row.getValue()) + "\"}]}")
                .collect(Collectors.joining(","));
        send(table + "/any", "PUT", "application/json", BodyPublishers.ofString("{\"Row\":[" + rows + "]}"));
    }

    void delete(TableName table, String row, String column) throws IOException, InterruptedException {
        send(table + "/" + row + "/" + column, "DELETE", "text/plain", BodyPublishers.noBody());
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }

    private void send(String path, String method, String type, BodyPublisher body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + "/" + path))
                .timeout(PATIENCE)
                .header("Content-Type", type)
                .method(method, body)
                .build();
        var response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(method + " " + path + ": " + response.statusCode() + " " + response.body());
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
