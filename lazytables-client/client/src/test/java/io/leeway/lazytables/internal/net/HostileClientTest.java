package io.leeway.lazytables.internal.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.net.RecordingSink.What;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What strangers and broken clients do to a server: nothing that others feel. */
@Timeout(180)
class HostileClientTest {

    private TestServer server = TestServer.start("handshake.timeout=1m", "server.handshakes=4", "frame.limit=2MB");

    @BeforeEach
    void nothingHappened() {
        assertThat(server.sink.events).isEmpty();
    }

    @AfterEach
    void stillServes() {
        try (TestClient good = TestClient.of(server.port()).open()) {
            assertThat(good.send(new byte[] {1, 2})).isTrue();
            assertThat(good.sink.next(What.FRAME).bytes()).containsExactly(1, 2);
        }
        server.close();
    }

    @AfterAll
    static void nothingLeaked() {
        assertThat(LeakRecorder.leaks()).isEmpty();
    }

    @Test
    void anotherProtocolIsClosedAtOnce() throws IOException {
        try (RawClient http = new RawClient(server.port())) {
            http.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));

            assertThat(http.readToEnd()).isEmpty();
        }
        try (RawClient tls = new RawClient(server.port())) {
            tls.send((byte) 0x16);

            assertThat(tls.readToEnd()).isEmpty();
        }
        assertThat(server.sink.events).isEmpty();
    }

    @Test
    void anotherVersionIsToldWhichOneIsSpoken() throws IOException {
        byte[] preamble = Wire.preamble();
        preamble[5] = 9;
        try (RawClient newer = new RawClient(server.port())) {
            newer.send(preamble);

            assertThat(newer.readPreamble()).isEqualTo(Wire.preamble());
            RawClient.Frame goodbye = newer.read();
            assertThat(goodbye.kind()).isEqualTo(Kind.GOODBYE);
            assertThat(goodbye.code()).isEqualTo(Code.VERSION.number());
            assertThat(new String(goodbye.bytes(), US_ASCII))
                    .contains("version 9")
                    .contains("version 1");
        }
        assertThat(server.sink.events).isEmpty();
    }

    @Test
    void messagesBeforeTheProofAreRefused() throws IOException {
        for (int kind : new int[] {Kind.DATA, Kind.LZ4, Kind.HEARTBEAT, Kind.WELCOME, Kind.CHALLENGE, 15}) {
            try (RawClient client = new RawClient(server.port())) {
                client.send(Wire.preamble()).frame(kind, new byte[33]);
                client.readPreamble();

                assertThat(client.read(Kind.GOODBYE).code()).isEqualTo(Code.MALFORMED.number());
            }
        }
        assertThat(server.sink.events).isEmpty();
    }

    @Test
    void longHandshakesAreRefused() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(Wire.preamble()).header(Kind.PROOF, 1_025);
            client.readPreamble();

            assertThat(client.read(Kind.GOODBYE).code()).isEqualTo(Code.FRAME_TOO_LARGE.number());
        }
        assertThat(server.sink.events).isEmpty();
    }

    @Test
    void aProofThatWasHeardIsOfNoUse() throws IOException {
        try (TestServer guarded = TestServer.start("token=correct horse battery")) {
            byte[] nonce = Proofs.nonce();
            byte[] proof;
            try (RawClient honest = new RawClient(guarded.port())) {
                honest.send(Wire.preamble());
                honest.readPreamble();
                proof = proof(honest.read().bytes(), nonce);
                assertThat(honest.frame(Kind.PROOF, proof).read().kind()).isEqualTo(Kind.WELCOME);
            }
            assertThat(guarded.sink.next(What.OPEN)).isNotNull();
            assertThat(guarded.sink.next(What.CLOSED)).isNotNull();
            try (RawClient replay = new RawClient(guarded.port())) {
                replay.send(Wire.preamble());
                replay.readPreamble();
                assertThat(replay.read().bytes()).hasSize(33);

                assertThat(replay.frame(Kind.PROOF, proof).read().code()).isEqualTo(Code.TOKEN.number());
            }
            assertThat(guarded.sink.events).isEmpty();
        }
    }

    @Test
    void aFrameAboveTheLimitIsRefusedByItsHeader() throws IOException {
        try (RawClient client = RawClient.admitted(server.port())) {
            server.sink.next(What.OPEN);
            client.header(Kind.DATA, (2 << 20) + 1);

            assertThat(client.read(Kind.GOODBYE).code()).isEqualTo(Code.FRAME_TOO_LARGE.number());
            assertThat(server.sink.next(What.CLOSED).code()).isEqualTo(Code.FRAME_TOO_LARGE);
        }
    }

    @Test
    void compressedMessagesAreNotBelieved() throws IOException {
        byte[] negative = {-1, -1, -1, -1, 0, 0};
        byte[] large = {0, 0x30, 0, 0, 0, 0};
        byte[] thin = {0, 0x0f, 0, 0, 0, 0};
        byte[] nonsense = {0, 0, 0, 9, 1, 2, 3};
        byte[] empty = {0, 0, 0, 9};
        for (byte[] frame : List.of(negative, large, thin, nonsense, empty)) {
            try (RawClient client = RawClient.admitted(server.port())) {
                server.sink.until(What.OPEN);
                client.frame(Kind.LZ4, frame);

                assertThat(client.read(Kind.GOODBYE).code())
                        .isIn(Code.FRAME_TOO_LARGE.number(), Code.MALFORMED.number());
                assertThat(server.sink.next(What.CLOSED).code()).isIn(Code.FRAME_TOO_LARGE, Code.MALFORMED);
            }
        }
    }

    @Test
    void garbageBehindTheHandshakeEndsTheConnection() throws IOException {
        RandomGenerator random = Seeds.random("hostile");
        for (int i = 0; i < 50; i++) {
            byte[] garbage = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(garbage);
            // A header of an unknown kind at the latest behind it.
            try (RawClient client = RawClient.admitted(server.port())) {
                client.send(garbage);
            }
            server.sink.until(What.CLOSED);
        }
    }

    @Test
    void garbageInsteadOfTheHandshakeReachesNobody() throws IOException {
        RandomGenerator random = Seeds.random("hostile");
        for (int i = 0; i < 50; i++) {
            byte[] garbage = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(garbage);
            try (RawClient client = new RawClient(server.port())) {
                client.send(random.nextBoolean() ? Wire.preamble() : new byte[] {'L', 'Z'});
                client.send(garbage);
            } catch (IOException closedMeanwhile) {
                // The server may be faster.
            }
        }
        assertThat(server.sink.events).isEmpty();
    }

    @Test
    void whoDoesNotFinishIsClosed() throws IOException {
        try (TestServer strict = TestServer.start("handshake.timeout=2s");
                RawClient nothing = new RawClient(strict.port());
                RawClient half = new RawClient(strict.port())) {
            half.send(Wire.preamble());

            assertThat(nothing.readToEnd()).isEmpty();
            half.readPreamble();
            assertThat(half.read(Kind.GOODBYE).code()).isEqualTo(Code.HANDSHAKE_TIMEOUT.number());
            assertThat(strict.sink.events).isEmpty();
        }
    }

    /** Each byte in time, the whole never. */
    @Test
    void slowHandshakesEndAllTheSame() throws IOException {
        try (TestServer strict = TestServer.start("handshake.timeout=2s");
                RawClient slow = new RawClient(strict.port())) {
            var failed = false;
            byte[] bytes = Wire.preamble();
            slow.send(bytes);
            slow.header(Kind.PROOF, 1_000);
            // For about four seconds, unless it is closed.
            for (int i = 0; i < 999 && !failed; i++) {
                try {
                    slow.send((byte) 0);
                    Thread.onSpinWait();
                    java.util.concurrent.locks.LockSupport.parkNanos(4_000_000);
                } catch (IOException closed) {
                    failed = true;
                }
            }
            slow.readToEnd();
            assertThat(strict.sink.events).isEmpty();
        }
    }

    /** There are four places for strangers. */
    @Test
    void manyWhoSayNothingKeepNobodyOut() throws IOException {
        var idle = new ArrayList<RawClient>();
        try {
            for (int i = 0; i < 12; i++) {
                idle.add(new RawClient(server.port()));
            }
            try (TestClient good = TestClient.of(server.port()).open()) {
                assertThat(good.send(new byte[] {5})).isTrue();
                assertThat(good.sink.next(What.FRAME).bytes()).containsExactly(5);
            }
            for (RawClient oldest : idle.subList(0, 8)) {
                assertThat(oldest.readToEnd()).isEmpty();
            }
        } finally {
            for (RawClient client : idle) {
                client.close();
            }
        }
    }

    private static byte[] proof(byte[] challenge, byte[] nonce) {
        byte[] theirs = java.util.Arrays.copyOfRange(challenge, 1, 1 + Proofs.NONCE);
        byte[] mac = Proofs.ofClient("correct horse battery", theirs, nonce);
        byte[] proof = new byte[4 + Proofs.NONCE + Proofs.PROOF];
        Wire.putInt(proof, 0, 1 << 20);
        System.arraycopy(nonce, 0, proof, 4, Proofs.NONCE);
        System.arraycopy(mac, 0, proof, 4 + Proofs.NONCE, Proofs.PROOF);
        return proof;
    }
}
