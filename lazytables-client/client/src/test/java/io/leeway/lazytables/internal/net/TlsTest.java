package io.leeway.lazytables.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.net.RecordingSink.What;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS with keystores and PEM files that the JDK's keytool makes. */
@Timeout(180)
class TlsTest {

    private static final String PASSWORD = "changeit";

    @TempDir
    static Path directory;

    @BeforeAll
    static void makeCertificates() throws Exception {
        make("server", "dns:localhost,ip:127.0.0.1");
        make("elsewhere", "dns:elsewhere.example");
        make("client", "dns:client");
    }

    @AfterAll
    static void nothingLeaked() {
        assertThat(LeakRecorder.leaks()).isEmpty();
    }

    @Test
    void aTrustedServerIsTalkedTo() {
        byte[] message = new byte[300_000];
        message[299_999] = 9;
        try (TestServer server = server("server.p12");
                TestClient client = client("localhost", server, "tls.trust=" + file("server.pem"))
                        .open()) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.send(message)).isTrue();
                assertThat(client.sink.next(What.FRAME).bytes()).isEqualTo(message);
            }
        }
    }

    @Test
    void pemFilesAreAsGoodAsKeystores() {
        try (TestServer server = TestServer.start(
                        "tls=true", "tls.certificate=" + file("server.pem"), "tls.key=" + file("server.key"));
                TestClient client = client(
                                "127.0.0.1",
                                server,
                                "tls.trust=" + file("server.p12"),
                                "tls.trust.password=" + PASSWORD)
                        .open()) {
            assertThat(client.send(new byte[] {4})).isTrue();
            assertThat(client.sink.next(What.FRAME).bytes()).containsExactly(4);
        }
    }

    @Test
    void whatWasSentArrivesBeforeTheEnd() {
        try (TestServer server = server("server.p12");
                TestClient client = client("localhost", server, "tls.trust=" + file("server.pem"))
                        .open()) {
            server.sink.next(What.OPEN);
            TestServer.on(client.loop, () -> {
                for (int i = 0; i < 500; i++) {
                    client.transport.send(0, new byte[5_000], 0, 5_000);
                }
                client.transport.close(0);
                return true;
            });
            for (int i = 0; i < 500; i++) {
                server.sink.next(What.FRAME);
            }
            assertThat(server.sink.next(What.CLOSED).cause()).isNull();
            client.open();
        }
    }

    /** What waits to be encrypted waits, too. */
    @Test
    void whoHasMuchToSendIsToldWhenThereIsRoom() {
        byte[] message = new byte[32 << 10];
        int count = 500;
        try (TestServer server = server("server.p12");
                TestClient client = client(
                                "localhost", server, "tls.trust=" + file("server.pem"), "send.watermark=64KB")
                        .open()) {
            int sent = 0;
            int refusals = 0;
            while (sent < count) {
                int from = sent;
                sent = TestServer.on(client.loop, () -> {
                    int next = from;
                    while (next < count && client.transport.hasRoom(0)) {
                        client.transport.send(0, message, 0, message.length);
                        next++;
                    }
                    assertThat(client.transport.pending(0)).isLessThan(256 << 10);
                    return next;
                });
                if (sent < count) {
                    refusals++;
                    client.sink.until(What.ROOM);
                }
            }

            assertThat(refusals).isPositive();
            for (int i = 0; i < count; i++) {
                assertThat(server.sink.until(What.FRAME).bytes()).hasSize(message.length);
            }
        }
    }

    @Test
    void aServerWithoutTrustedCertificateIsNotTalkedTo() {
        try (TestServer server = server("server.p12");
                TestClient jdk = client("localhost", server);
                TestClient other = client("localhost", server, "tls.trust=" + file("elsewhere.pem"))) {
            assertThat(jdk.sink.next(What.UNREACHABLE).code()).isEqualTo(Code.TLS);
            assertThat(other.sink.next(What.UNREACHABLE).code()).isEqualTo(Code.TLS);
            assertThat(server.sink.events).isEmpty();
        }
    }

    @Test
    void aServerOfAnotherNameIsNotTalkedTo() {
        try (TestServer server = server("elsewhere.p12");
                TestClient client = client("localhost", server, "tls.trust=" + file("elsewhere.pem"))) {
            RecordingSink.Event refused = client.sink.next(What.UNREACHABLE);

            assertThat(refused.code()).isEqualTo(Code.TLS);
            assertThat(refused.cause()).hasMessageContaining("localhost");
            assertThat(server.sink.events).isEmpty();
        }
    }

    @Test
    void aServerThatTrustsSomeAsksForTheirCertificates() {
        try (TestServer server = server("server.p12", "tls.trust=" + file("client.pem"));
                TestClient none = client("localhost", server, "tls.trust=" + file("server.pem"));
                TestClient known = client(
                                "localhost",
                                server,
                                "tls.trust=" + file("server.pem"),
                                "tls.certificate=" + file("client.p12"),
                                "tls.password=" + PASSWORD)
                        .open()) {
            assertThat(none.sink.next(What.UNREACHABLE).code()).isIn(Code.TLS, Code.ENDED);
            assertThat(known.send(new byte[] {6})).isTrue();
            assertThat(known.sink.next(What.FRAME).bytes()).containsExactly(6);
            assertThat(server.sink.next(What.OPEN)).isNotNull();
            assertThat(server.sink.next(What.FRAME)).isNotNull();
            assertThat(server.sink.events).isEmpty();
        }
    }

    @Test
    void whoSpeaksTlsAloneIsTold() {
        try (TestServer plain = TestServer.start();
                TestServer guarded = server("server.p12");
                TestClient tls = client("localhost", plain, "tls.trust=" + file("server.pem"));
                TestClient open = TestClient.of("localhost", guarded.port())) {
            assertThat(tls.sink.next(What.UNREACHABLE).code()).isIn(Code.TLS, Code.ENDED);
            assertThat(open.sink.next(What.UNREACHABLE).code()).isIn(Code.NOT_LAZYTABLES, Code.ENDED);
            assertThat(plain.sink.events).isEmpty();
            assertThat(guarded.sink.events).isEmpty();
        }
    }

    @Test
    void garbageInsteadOfTlsIsClosed() throws IOException {
        try (TestServer server = server("server.p12");
                RawClient client = new RawClient(server.port())) {
            client.send(Wire.preamble());

            client.readToEnd();
            assertThat(server.sink.events).isEmpty();
        }
    }

    @Test
    void whoStopsInTheMiddleOfTlsIsClosed() throws IOException {
        try (TestServer server = server("server.p12", "handshake.timeout=200ms");
                RawClient client = new RawClient(server.port())) {
            client.send(new byte[] {0x16, 3, 1, 0, 100, 1});

            client.readToEnd();
            assertThat(server.sink.events).isEmpty();
        }
    }

    @Test
    void filesThatCannotBeReadAreSaid() {
        assertThatThrownBy(() -> TestServer.start("tls=true", "tls.certificate=/no/such.pem", "tls.key=x"))
                .hasMessageContaining("lazytables.tls.certificate: /no/such.pem cannot be read");
        assertThatThrownBy(() -> TestServer.start("tls=true", "tls.certificate=" + file("server.pem")))
                .hasMessageContaining("lazytables.tls.key is missing");
        assertThatThrownBy(() -> server("server.p12", "tls.password=wrong")).hasMessageContaining("LAZY-1006");
        assertThatThrownBy(() -> TestServer.start("tls=true")).hasMessageContaining("needs lazytables.tls.certificate");
    }

    private static TestServer server(String store, String... options) {
        var all = new ArrayList<>(List.of("tls=true", "tls.certificate=" + file(store), "tls.password=" + PASSWORD));
        all.addAll(List.of(options));
        return TestServer.start(all.toArray(String[]::new));
    }

    private static TestClient client(String host, TestServer server, String... options) {
        var all = new ArrayList<>(List.of("tls=true"));
        all.addAll(List.of(options));
        return TestClient.of(host, server.port(), all.toArray(String[]::new));
    }

    private static String file(String name) {
        return directory.resolve(name).toString();
    }

    /** A keystore, and the same as PEM files. */
    private static void make(String name, String names)
            throws IOException, InterruptedException, GeneralSecurityException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "own",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=" + names,
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file(name + ".p12"),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(keytool.exitValue()).isZero();
        KeyStore store = KeyStore.getInstance(directory.resolve(name + ".p12").toFile(), PASSWORD.toCharArray());
        pem(name + ".pem", "CERTIFICATE", store.getCertificate("own").getEncoded());
        pem(
                name + ".key",
                "PRIVATE KEY",
                store.getKey("own", PASSWORD.toCharArray()).getEncoded());
    }

    private static void pem(String file, String what, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(
                directory.resolve(file), "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
    }
}
