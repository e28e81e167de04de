package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazybase.internal.pg.Users;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Base64;
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

            assertThat(sql(server, "SELECT k, NULL AS none FROM seen", "X-LazyBase")
                            .body())
                    .contains("\"columns\":[\"k\",\"none\"]", "\"rows\":[[\"1\",null]]", "lazybase.answer_age");
            assertThat(sql(server, "DELETE FROM seen WHERE k = 1", "X-LazyBase").body())
                    .contains("may only read");
            assertThat(sql(server, "SELECT 'not'", "X-Other").statusCode()).isEqualTo(403);
            new ProcessUser(directory).add("ann", "long enough");
            assertThat(sql(server, "SELECT 1", "X-LazyBase").statusCode()).isEqualTo(401);
            assertThat(sql(server, "SELECT 1", "X-LazyBase", "Authorization", basic("ann:wrong one"))
                            .statusCode())
                    .isEqualTo(401);
            assertThat(sql(server, "SELECT 41 + 1", "X-LazyBase", "Authorization", basic("ann:long enough"))
                            .body())
                    .contains("\"rows\":[[\"42\"]]");
        }
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds users as the command line does. */
    private record ProcessUser(Path directory) {
        void add(String name, String password) throws IOException {
            new Users(directory.resolve("users")).put(name, Users.Role.READ, password, new byte[16]);
        }
    }

    private static HttpResponse<String> sql(LazyBaseServer server, String sql, String header, String... headers)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.pageUrl() + "sql"))
                .header(header, "1")
                .POST(HttpRequest.BodyPublishers.ofString(sql));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(LazyBaseServer server, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(server.pageUrl() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
