package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebPageTest {

    @Test
    void thePageItsDataAndTheMetricsAreServed(@TempDir Path directory) throws Exception {
        var options =
                Map.of("lazybase.directory", directory.toString(), "lazybase.pg.port", "0", "lazybase.web.port", "0");
        try (LazyBaseServer server = LazyBaseServer.start(LazyBaseOptions.of(options));
                var connection = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE seen (k int8 PRIMARY KEY)");
            statement.execute("INSERT INTO seen VALUES (1)");
            statement.executeQuery("SELECT '<b>' FROM seen").close();

            assertThat(get(server, "").body()).contains("<title>LazyBase</title>");
            assertThat(get(server, "status").body()).contains("\"name\":\"seen\"", "'<b>'", "\"name\":\"ingest\"");
            assertThat(get(server, "metrics").body())
                    .contains("lazybase_stage_rows_total{stage=\"ingest\"} 1", "lazybase_connections 1");
            assertThat(get(server, "nothing").statusCode()).isEqualTo(404);
        }
    }

    private static HttpResponse<String> get(LazyBaseServer server, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(server.pageUrl() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
