package io.leeway.autotune.internal.kubernetes;

import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
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
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The API server: three kinds of requests over the JDK's HTTP client, which is all that tuning needs; a client library
 * would bring some twenty jars for that. In a pod the address, token and certificate of the service account are used;
 * elsewhere those that are given. With a dry run the API server checks everything and changes nothing.
 *
 * <p>Requests that the server puts off (429, 503) are repeated when it says so, five times. Thread-safe.
 */
public final class KubernetesApi {

    /** An answer that is no success. */
    static final class Refusal extends IOException {

        private static final long serialVersionUID = 1;

        private final int status;

        Refusal(int status, String message) {
            super("Kubernetes says " + status + ": " + message);
            this.status = status;
        }

        /** Whether what was changed is not any more what was read. */
        boolean isConflict() {
            return status == CONFLICT;
        }
    }

    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int NOT_OK = 300;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final int ATTEMPTS = 5;
    private static final long LONGEST_PAUSE = 10;

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

    /**
     * As {@code server}, {@code tokenFile}, {@code caFile} and {@code dryRun} of a declaration say.
     *
     * @throws IOException if there is no server, or a file cannot be read
     */
    public static KubernetesApi of(JsonObject json) throws IOException {
        return of(json, json.has("dryRun") && json.get("dryRun").getAsBoolean());
    }

    /** The same, with a dry run or without, whatever the declaration says of that. */
    public static KubernetesApi of(JsonObject json, boolean dryRun) throws IOException {
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
                dryRun);
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
    public boolean isDryRun() {
        return dryRun;
    }

    /** What is there under a path. */
    JsonObject get(String path) throws IOException {
        return send(request(path).GET().build());
    }

    /** Changes it by a strategic merge; what it is like then, or would be. */
    JsonObject patch(String path, JsonObject patch) throws IOException {
        return send(request(path + "?fieldManager=autotune" + (dryRun ? "&dryRun=All" : ""))
                .header("Content-Type", "application/strategic-merge-patch+json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(patch.toString()))
                .build());
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
        try {
            for (int i = 1; ; i++) {
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                int status = response.statusCode();
                if (status < NOT_OK) {
                    return Json.object(response.body());
                }
                if (status != TOO_MANY_REQUESTS && status != UNAVAILABLE || i == ATTEMPTS) {
                    throw refusal(status, message(response.body()));
                }
                TimeUnit.SECONDS.sleep(pause(response));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("broken off", e);
        }
    }

    private static long pause(HttpResponse<String> response) {
        String wanted = response.headers().firstValue("Retry-After").orElse("1");
        return wanted.matches("\\d{1,9}") ? Math.min(LONGEST_PAUSE, Long.parseLong(wanted)) : 1;
    }

    /** Permissions are the operator's to give, so they get an error of their own. */
    private static Refusal refusal(int status, String message) {
        if (status == UNAUTHORIZED || status == FORBIDDEN) {
            throw AutoTuneError.NOT_PERMITTED.because(status + " " + message);
        }
        return new Refusal(status, message);
    }

    private static String message(String body) {
        try {
            return Json.text(Json.object(body), "message", body);
        } catch (AutoTuneException e) {
            return body;
        }
    }
}
