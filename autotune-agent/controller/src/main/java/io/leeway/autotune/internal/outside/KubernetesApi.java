package io.leeway.autotune.internal.outside;

import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.internal.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The little of Kubernetes' API that is needed: reading a deployment and patching it. In a pod the address, token and
 * certificate of the service account are used; elsewhere those that are given. With a dry run the API server checks
 * everything and changes nothing.
 */
final class KubernetesApi {

    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int NOT_OK = 300;

    private final HttpClient client;
    private final URI server;
    private final @Nullable Path token;
    private final boolean dryRun;

    /**
     * A server's API.
     *
     * @param token the file that the token is read from, anew for each request since it is renewed; null for none
     * @param certificate of the authority that signed the server's; null for the JDK's
     */
    KubernetesApi(URI server, @Nullable Path token, @Nullable Path certificate, boolean dryRun) throws IOException {
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(PATIENCE);
        this.client = certificate == null
                ? builder.build()
                : builder.sslContext(trusting(certificate)).build();
        this.server = server;
        this.token = token;
        this.dryRun = dryRun;
    }

    /** As {@code server}, {@code tokenFile}, {@code caFile} and {@code dryRun} of a declaration say. */
    static KubernetesApi of(JsonObject json) throws IOException {
        boolean inPod = !json.has("server");
        String host = System.getenv("KUBERNETES_SERVICE_HOST");
        if (inPod && host == null) {
            throw new IOException("no server is given, and this is no pod");
        }
        URI server = URI.create(
                inPod ? "https://" + host + ":" + System.getenv("KUBERNETES_SERVICE_PORT") : Json.text(json, "server"));
        return new KubernetesApi(
                server,
                file(json, "tokenFile", inPod ? ACCOUNT.resolve("token") : null),
                file(json, "caFile", inPod ? ACCOUNT.resolve("ca.crt") : null),
                json.has("dryRun") && json.get("dryRun").getAsBoolean());
    }

    private static @Nullable Path file(JsonObject json, String field, @Nullable Path otherwise) {
        return json.has(field) ? Path.of(Json.text(json, field)) : otherwise;
    }

    private static SSLContext trusting(Path certificate) throws IOException {
        try (InputStream in = Files.newInputStream(certificate)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(certificate + " is no certificate", e);
        }
    }

    /** Whether nothing is changed. */
    boolean isDryRun() {
        return dryRun;
    }

    /** A deployment as it is. */
    JsonObject deployment(String namespace, String name) throws IOException {
        return send(request(path(namespace, name)).GET().build());
    }

    /** Changes a deployment by a strategic merge; what it is like then. */
    JsonObject patch(String namespace, String name, JsonObject patch) throws IOException {
        String path = path(namespace, name) + "?fieldManager=autotune" + (dryRun ? "&dryRun=All" : "");
        return send(request(path)
                .header("Content-Type", "application/strategic-merge-patch+json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(patch.toString()))
                .build());
    }

    private static String path(String namespace, String name) {
        for (String part : new String[] {namespace, name}) {
            if (!part.matches("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")) {
                throw AutoTuneError.BAD_REQUEST.because("no name of Kubernetes: " + part);
            }
        }
        return "/apis/apps/v1/namespaces/" + namespace + "/deployments/" + name;
    }

    private HttpRequest.Builder request(String path) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.resolve(path)).timeout(PATIENCE).header("Accept", "application/json");
        Path file = token;
        return file == null
                ? request
                : request.header(
                        "Authorization", "Bearer " + Files.readString(file).strip());
    }

    private JsonObject send(HttpRequest request) throws IOException {
        HttpResponse<String> response;
        try {
            response = client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("broken off", e);
        }
        if (response.statusCode() >= NOT_OK) {
            throw new IOException("Kubernetes says " + response.statusCode() + ": " + message(response.body()));
        }
        return Json.object(response.body());
    }

    private static String message(String body) {
        try {
            return Json.text(Json.object(body), "message", body);
        } catch (io.leeway.autotune.AutoTuneException e) {
            return body;
        }
    }
}
