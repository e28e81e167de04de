package io.leeway.approx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS to the brokers, SASL on the client's own connection, rights of the client and of the gateway. */
@SuppressWarnings("FutureReturnValueIgnored") // flush waits for all
class SecuredClusterIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<String, String> USERS = Map.of("app", "secret of the app", "gateway", "secret of it");
    /** What the application may write into; what only the gateway may; what only the application may. */
    private static final String TOPICS = "open(msr=0.5;window=60s),closed(msr=0.5),forgotten(msr=0.5;window=60s)";

    @TempDir
    static Path directory;

    private static KafkaServer kafka;
    private static Admin admin;
    private static String secure;

    private ApproxGateway gateway;
    private ApproxShim shim;

    @BeforeAll
    static void startBroker() throws Exception {
        KeyStores.make(directory, "dns:localhost,ip:127.0.0.1");
        secure = "127.0.0.1:" + KafkaServer.freePort();
        kafka = KafkaServer.startSecured(secure, directory.resolve("keys.p12"), KeyStores.PASSWORD, USERS);
        admin = Admin.create(Map.of("bootstrap.servers", kafka.address()));
        List<NewTopic> topics = new ArrayList<>();
        for (String topic : List.of("open", "closed", "forgotten")) {
            topics.add(new NewTopic(topic, 1, (short) 1));
        }
        admin.createTopics(topics).all().get(60, TimeUnit.SECONDS);
        admin.createAcls(List.of(
                        may("app", ResourceType.TOPIC, "open", AclOperation.WRITE),
                        may("app", ResourceType.TOPIC, "open", AclOperation.READ),
                        may("app", ResourceType.TOPIC, "closed", AclOperation.DESCRIBE),
                        may("app", ResourceType.TOPIC, "forgotten", AclOperation.WRITE),
                        may("app", ResourceType.GROUP, "readers", AclOperation.READ),
                        may("gateway", ResourceType.TOPIC, "open", AclOperation.WRITE),
                        may("gateway", ResourceType.TOPIC, "closed", AclOperation.WRITE),
                        may("gateway", ResourceType.TOPIC, "approx-reports", AclOperation.WRITE)))
                .all()
                .get(60, TimeUnit.SECONDS);
    }

    private static AclBinding may(String user, ResourceType type, String name, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }

    @AfterAll
    static void stopBroker() throws Exception {
        admin.close();
        kafka.close();
    }

    @BeforeEach
    void start() throws Exception {
        Map<String, String> ofGateway = new HashMap<>(KeyStores.gateway(directory));
        ofGateway.put("approx.bootstrap", secure);
        ofGateway.put("approx.gateway.listen", "127.0.0.1:0");
        Path producer = directory.resolve("producer.properties");
        Files.write(
                producer,
                List.of(
                        "security.protocol=SASL_SSL",
                        "sasl.mechanism=PLAIN",
                        "sasl.jaas.config=" + login("gateway"),
                        "ssl.truststore.type=PKCS12",
                        "ssl.truststore.location=" + directory.resolve("trust.p12"),
                        "ssl.truststore.password=" + KeyStores.PASSWORD));
        ofGateway.put("approx.producer", producer.toString());
        gateway = new ApproxGateway(ApproxOptions.of(ofGateway));

        Map<String, String> ofShim = new HashMap<>(KeyStores.shim(directory));
        ofShim.put("approx.upstream", secure);
        ofShim.put("approx.upstream.tls", "on");
        ofShim.put("approx.gateway", "127.0.0.1:" + gateway.port());
        ofShim.put("approx.topics", TOPICS);
        ofShim.put("approx.mode", "atp");
        ofShim.put("approx.deadline", "10m");
        shim = new ApproxShim(ApproxOptions.of(ofShim));
        await().atMost(PATIENCE).until(() -> shim.path().equals("datagrams"));
    }

    @AfterEach
    void stop() {
        shim.close();
        gateway.close();
    }

    private static String login(String user) {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user + "\" password=\""
                + USERS.get(user) + "\";";
    }

    /** The client logs in at the broker; TLS is the shim's. */
    private Map<String, Object> client(String login) {
        Map<String, Object> client = new HashMap<>();
        client.put("bootstrap.servers", shim.bootstrap());
        client.put("security.protocol", "SASL_PLAINTEXT");
        client.put("sasl.mechanism", "PLAIN");
        client.put("sasl.jaas.config", login);
        return client;
    }

    private KafkaProducer<String, String> producer(Map<String, Object> client) {
        return new KafkaProducer<>(client, new StringSerializer(), new StringSerializer());
    }

    private static void send(KafkaProducer<String, String> producer, String topic, int count) {
        for (int i = 0; i < count; i++) {
            producer.send(new ProducerRecord<>(topic, "key " + i, "value " + i));
        }
        producer.flush();
    }

    private long sum(String topic, ToLongFunction<WindowReport> number) {
        return gateway.reports().stream()
                .filter(report -> report.topic().equals(topic))
                .mapToLong(number)
                .sum();
    }

    @Test
    void aCompressedTopicIsSampledThroughTlsAndSaslAndReadByAGroup() throws Exception {
        int count = 1_000;
        Map<String, Object> client = client(login("app"));
        client.put("compression.type", "lz4");
        client.put("linger.ms", "20");
        try (KafkaProducer<String, String> producer = producer(client)) {
            send(producer, "open", count);
        }
        assertThat(shim.drain(60_000)).isTrue();
        await().atMost(PATIENCE).until(() -> sum("open", WindowReport::records) == count);
        long delivered = sum("open", WindowReport::delivered);
        assertThat(delivered).isBetween(count / 2L, count - 1L);
        client.put("group.id", "readers");
        client.put("auto.offset.reset", "earliest");
        List<ConsumerRecord<String, String>> all = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("open"));
            await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(all::add);
                return all.size() >= delivered;
            });
            consumer.commitSync();
        }
        assertThat(all)
                .hasSize((int) delivered)
                .allMatch(
                        record -> record.value().equals("value " + record.key().substring(4)));
    }

    @Test
    void aClientWithAWrongPasswordIsToldByTheBroker() {
        String wrong = login("app").replace("secret of the app", "another");
        try (KafkaProducer<String, String> producer = producer(client(wrong))) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>("open", "a", "b"))
                            .get(60, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(SaslAuthenticationException.class);
        }
    }

    @Test
    void whoMayNotWriteIntoATopicMayNotByTheGatewayEither() {
        try (KafkaProducer<String, String> producer = producer(client(login("app")))) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>("closed", "a", "b"))
                            .get(60, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(TopicAuthorizationException.class);
        }
        assertThat(shim.accepted()).isZero();
        assertThat(gateway.records()).isZero();
    }

    @Test
    void whatTheGatewayMayNotWriteIsReportedAsRefused() throws Exception {
        try (KafkaProducer<String, String> producer = producer(client(login("app")))) {
            send(producer, "forgotten", 100);
        }
        assertThat(shim.drain(60_000)).isTrue();
        await().atMost(PATIENCE).until(() -> sum("forgotten", WindowReport::records) == 100);
        assertThat(sum("forgotten", WindowReport::delivered)).isZero();
        assertThat(gateway.reports())
                .noneMatch(WindowReport::kept)
                .allMatch(report -> report.refusedWhy().equals("TopicAuthorizationException"));
    }
}
