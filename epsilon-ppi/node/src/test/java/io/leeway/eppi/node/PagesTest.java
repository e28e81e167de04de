package io.leeway.eppi.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.eppi.EppiException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PagesTest {

    @TempDir
    Path directory;

    private final HttpClient browser = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    @Test
    void aDoctorSearchesOnThePageOfTheHospitalAndSeesThePrivacyReport() throws Exception {
        try (var hospitals = new Hospitals(directory, 3, 3, Map.of("eppi.classes.least", "1"))) {
            for (int i = 0; i < 12; i++) {
                hospitals.person("p" + i, 0.5, i % 3);
            }
            hospitals.start();
            Map<String, String> options = new HashMap<>(hospitals.options("hospital-a"));
            options.put("eppi.http", "127.0.0.1:0");
            hospitals.nodes.get("hospital-a").close();
            try (var node = EppiProvider.start(options)) {
                String entrance = node.url().orElseThrow();
                String url = entrance.substring(0, entrance.indexOf("/?"));
                assertThat(HttpClient.newHttpClient()
                                .send(
                                        HttpRequest.newBuilder(URI.create(url + "/search"))
                                                .build(),
                                        HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(403);
                assertThat(get(entrance)).contains("Provider").contains("Privacy report");
                assertThat(get(url + "/report")).startsWith("<!doctype html>").contains("EPPI-1403");
                hospitals.construct();
                assertThat(get(url + "/report")).contains("<td class=n>0.50<td class=n>12");
                assertThat(post(url + "/search", "identity=p1%3Cb%3E"))
                        .contains("EPPI-1401")
                        .doesNotContain("<b>");
                assertThat(post(url + "/search", "identity=p1")).contains("check at hospital-b", "ε = 0.50 was wished");
                assertThat(get(url + "/metrics")).contains("eppi_bytes{direction=\"out\"}");
            }
            assertThat(get(hospitals.index.url() + "/v1/report")).contains("\"persons\":12");
            assertThat(get(hospitals.index.url() + "/v1/query?token=" + hospitals.files.token("p1")))
                    .contains("hospital-b");
            assertThat(get(hospitals.index.url() + "/v1/query?token=x")).contains("EPPI-1105");
            Map<String, String> mistaken = hospitals.options("doctor");
            mistaken.put("eppi.index", hospitals.index.url() + "/elsewhere");
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(() -> EppiSearcher.of(mistaken).query("p1"))
                    .withMessageContaining("no index server");
            assertThat(get(hospitals.index.url() + "/status"))
                    .contains("\"epoch\":1")
                    .contains("epoch 1 is done");
            assertThat(get(hospitals.index.url() + "/")).contains("Privacy report");
        }
    }

    private String get(String url) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(url)).build());
    }

    private String post(String url, String form) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build());
    }

    private String send(HttpRequest request) throws Exception {
        return browser.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
