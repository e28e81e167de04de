package io.leeway.approx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.testkit.Depth;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The promise is kept, or the report says that it is not, whatever happens between the shim and the brokers. */
@SuppressWarnings("FutureReturnValueIgnored") // flush waits for all
class FaultsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    static Path directory;

    private static KafkaServer kafka;

    private ApproxGateway gateway;
    private UdpProxy proxy;
    private ApproxShim shim;

    @BeforeAll
    static void startBroker() throws Exception {
        KeyStores.make(directory, "ip:127.0.0.1,ip:" + UdpProxy.HOST);
        kafka = KafkaServer.start("trips", "approx-reports");
    }

    @AfterAll
    static void stopBroker() throws Exception {
        kafka.close();
    }

    @BeforeEach
    void start() throws Exception {
        gateway = new ApproxGateway(gatewayOptions(0));
        proxy = new UdpProxy(gateway.port());
    }

    @AfterEach
    void stop() throws Exception {
        if (shim != null) {
            shim.close();
        }
        proxy.close();
        gateway.close();
    }

    private static ApproxOptions gatewayOptions(int port) {
        Map<String, String> options = new HashMap<>(KeyStores.gateway(directory));
        options.put("approx.bootstrap", kafka.address());
        options.put("approx.gateway.listen", "127.0.0.1:" + port);
        return ApproxOptions.of(options);
    }

    private void startShim(Map<String, String> more) {
        Map<String, String> options = new HashMap<>(KeyStores.shim(directory));
        options.put("approx.upstream", kafka.address());
        options.put("approx.gateway", UdpProxy.HOST + ":" + gateway.port());
        options.put("approx.topics", "trips(msr=0.5;window=60s)");
        options.put("approx.mode", "atp");
        options.put("approx.udp.timeout", "1s");
        options.put("approx.probe.interval", "1s");
        // No window ends without its promise because the machine is slow.
        options.put("approx.deadline", "10m");
        options.putAll(more);
        shim = new ApproxShim(ApproxOptions.of(options));
    }

    private void awaitPath(String path) {
        await().atMost(PATIENCE).until(() -> shim.path().startsWith(path));
    }

    private void produce(int count) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", shim.bootstrap());
        properties.put("linger.ms", "1");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>("trips", "trip " + i + "x".repeat(200)));
            }
            producer.flush();
        }
    }

    private void expectHalfOf(int count) throws InterruptedException {
        assertThat(shim.drain(60_000)).isTrue();
        await().atMost(PATIENCE)
                .until(() -> gateway.reports().stream()
                                .mapToLong(WindowReport::records)
                                .sum()
                        >= count);
        assertThat(gateway.reports().stream().mapToLong(WindowReport::records).sum())
                .isEqualTo(count);
        assertThat(gateway.reports()).allMatch(WindowReport::kept).noneMatch(WindowReport::biased);
        long delivered =
                gateway.reports().stream().mapToLong(WindowReport::delivered).sum();
        assertThat(delivered).isGreaterThanOrEqualTo(count / 2);
        await().atMost(PATIENCE).until(() -> gateway.records() == delivered);
    }

    @Test
    @Tag(Depth.DEEP) // what is lost is sent again by the clock
    void keepsThePromiseOverALinkThatLosesDoublesDamagesAndReorders() throws Exception {
        proxy.late = 0.2;
        proxy.loss = 0.2;
        proxy.doubled = 0.1;
        proxy.damaged = 0.1;
        startShim(Map.of());
        awaitPath("datagrams");
        produce(5_000);
        expectHalfOf(5_000);
    }

    @Test
    @Tag(Depth.DEEP) // what is lost is sent again by the clock
    void sendsTheSampleOverTcpWhileDatagramsAreBlocked() throws Exception {
        proxy.blocked = true;
        startShim(Map.of());
        awaitPath("tcp");
        produce(2_000);
        expectHalfOf(2_000);
        proxy.blocked = false;
        awaitPath("datagrams");
    }

    @Test
    @Tag(Depth.DEEP) // what is lost is sent again by the clock
    void goesOnOverTcpWhenDatagramsAreBlockedHalfWay() throws Exception {
        startShim(Map.of());
        awaitPath("datagrams");
        produce(2_000);
        proxy.blocked = true;
        produce(2_000);
        expectHalfOf(4_000);
        assertThat(shim.path()).isEqualTo("tcp");
    }

    @Test
    @Tag(Depth.DEEP) // what is lost is sent again by the clock
    void goesOnWhenTheControlConnectionIsCut() throws Exception {
        startShim(Map.of());
        awaitPath("datagrams");
        for (int i = 0; i < 4; i++) {
            produce(500);
            proxy.cut();
        }
        expectHalfOf(2_000);
    }

    @Test
    @Tag(Depth.DEEP)
    void travelsAsExactTrafficUntilAGatewayThatWasKilledIsBack() throws Exception {
        startShim(Map.of());
        awaitPath("datagrams");
        produce(500);
        int port = gateway.port();
        gateway.close();
        gateway = new ApproxGateway(gatewayOptions(port));
        await().atMost(PATIENCE).until(() -> {
            produce(10);
            return shim.path().equals("datagrams")
                    && gateway.state().sessions().stream().anyMatch(of -> of.connected());
        });
        long before = shim.accepted();
        produce(1_000);
        assertThat(shim.drain(60_000)).isTrue();
        assertThat(shim.accepted()).isEqualTo(before + 1_000);
        await().atMost(PATIENCE)
                .until(() -> gateway.reports().stream()
                                .mapToLong(WindowReport::records)
                                .sum()
                        >= 1_500);
        // What was open when the gateway was killed is reported by the new one, as not kept.
        assertThat(gateway.reports().stream()
                        .filter(report -> !report.kept())
                        .mapToLong(WindowReport::records)
                        .sum())
                .isGreaterThanOrEqualTo(500)
                .isLessThan(gateway.reports().stream()
                        .mapToLong(WindowReport::records)
                        .sum());
    }

    @Test
    void aFloodOfForgedDatagramsIsCountedAndNothingElse() throws Exception {
        startShim(Map.of());
        awaitPath("datagrams");
        Random random = new Random(5);
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < 5_000; i++) {
                byte[] bytes = new byte[random.nextInt(1_400)];
                random.nextBytes(bytes);
                socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), gateway.port()));
            }
            socket.setSoTimeout(1);
        }
        produce(1_000);
        expectHalfOf(1_000);
        assertThat(gateway.state().stray()).isPositive();
    }

    @Test
    void aWrongTokenIsRefusedAndEverythingTravelsAsExactTraffic() {
        startShim(Map.of("approx.token", "another token altogether"));
        awaitPath("exact: APPROX-102");
        produce(100);
        assertThat(shim.passed()).isGreaterThanOrEqualTo(100);
        assertThat(gateway.records()).isZero();
    }

    @Test
    @Tag(Depth.DEEP) // what is lost is sent again by the clock
    void aReceiverWithLittleRoomSlowsTheShimDownAndNothingElse() throws Exception {
        gateway.close();
        Map<String, String> options = new HashMap<>(KeyStores.gateway(directory));
        options.put("approx.bootstrap", kafka.address());
        options.put("approx.gateway.listen", "127.0.0.1:" + gateway.port());
        options.put("approx.receive.bytes", "1048576");
        gateway = new ApproxGateway(ApproxOptions.of(options));
        startShim(Map.of("approx.buffer.bytes", "1048576"));
        awaitPath("datagrams");
        produce(20_000);
        expectHalfOf(20_000);
    }

    @Test
    @Tag(Depth.DEEP)
    void waitsWhileBrokersAreStartedAnew() throws Exception {
        startShim(Map.of());
        awaitPath("datagrams");
        produce(1_000);
        kafka.kill();
        kafka.restart();
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            produce(1_000);
            return true;
        });
        assertThat(shim.drain(60_000)).isTrue();
        await().atMost(PATIENCE)
                .until(() -> gateway.reports().stream()
                                .mapToLong(WindowReport::records)
                                .sum()
                        >= 2_000);
        assertThat(gateway.reports()).allMatch(WindowReport::kept);
        long delivered =
                gateway.reports().stream().mapToLong(WindowReport::delivered).sum();
        await().atMost(PATIENCE).until(() -> gateway.records() + gateway.failures() >= delivered);
        assertThat(gateway.failures()).isZero();
    }
}
