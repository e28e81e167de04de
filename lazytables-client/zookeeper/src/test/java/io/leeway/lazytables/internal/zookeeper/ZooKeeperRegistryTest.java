package io.leeway.lazytables.internal.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.spi.ServerRegistration;
import io.leeway.lazytables.spi.ServerRegistry;
import io.leeway.lazytables.spi.ServerRegistryProvider.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that servers make, lose and find taken. */
@Timeout(120)
class ZooKeeperRegistryTest {

    /** Sessions that a pause of this Java machine, in which ZooKeeper is, too, does not end. */
    private static final Duration SESSION = Duration.ofSeconds(20);

    private static final Settings SETTINGS = new Settings("", SESSION, Duration.ofSeconds(20));
    private static final Duration SOON = Duration.ofSeconds(60);

    private static Ensemble ensemble;

    private final List<String> displaced = new CopyOnWriteArrayList<>();
    private String run;

    @BeforeAll
    static void start() throws Exception {
        ensemble = new Ensemble();
    }

    @AfterAll
    static void stop() throws IOException {
        ensemble.close();
    }

    @BeforeEach
    void name(TestInfo test) {
        run = test.getTestMethod().orElseThrow().getName() + System.nanoTime();
    }

    @Test
    void aServerIsThereUntilItsRegistryIsClosed() throws Exception {
        try (ServerRegistry registry = open(SETTINGS)) {
            registry.register(server(1, 2, 7_001), displaced::add);

            assertThat(ensemble.node(run, 1)).startsWith("address=127.0.0.1:7001\nservers=2\n");
        }
        assertThat(ensemble.node(run, 1)).isEmpty();
    }

    @Test
    void followersHearOfAllThatChanges() throws Exception {
        List<List<ServerRegistration>> heard = new CopyOnWriteArrayList<>();
        try (ServerRegistry follower = open(SETTINGS);
                ServerRegistry first = open(SETTINGS)) {
            follower.follow(heard::add);
            // Who looks now and then may tell the same once more.
            assertThat(heard).isNotEmpty().containsOnly(List.of());
            first.register(server(0, 2, 7_000), displaced::add);
            await().atMost(SOON).until(() -> last(heard).equals(List.of(server(0, 2, 7_000))));
            try (ServerRegistry second = open(SETTINGS)) {
                second.register(server(1, 2, 7_001), displaced::add);
                await().atMost(SOON).until(() -> last(heard).size() == 2);
                assertThat(last(heard)).containsExactlyInAnyOrder(server(0, 2, 7_000), server(1, 2, 7_001));
            }
            await().atMost(SOON).until(() -> last(heard).equals(List.of(server(0, 2, 7_000))));
        }
        assertThat(displaced).isEmpty();
    }

    @Test
    void oneThreadTellsFollowersSoThatTheNewestComesLast() throws Exception {
        List<String> threads = new CopyOnWriteArrayList<>();
        try (ServerRegistry follower = open(SETTINGS);
                ServerRegistry first = open(SETTINGS)) {
            follower.follow(heard -> threads.add(Thread.currentThread().getName()));
            first.register(server(0, 1, 7_000), displaced::add);
            await().atMost(SOON).until(() -> threads.size() > 1);
        }
        assertThat(threads).containsOnly("lazytables-registry");
    }

    @Test
    void aServerThatLosesItsSessionRegistersAgain() throws Exception {
        try (ZooKeeperRegistry registry = open(SETTINGS)) {
            registry.register(server(0, 1, 7_000), displaced::add);
            long before = ensemble.session(run, 0);

            registry.client.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();

            await().atMost(SOON).until(() -> ensemble.session(run, 0) != before && ensemble.session(run, 0) != 0);
            assertThat(ensemble.node(run, 0)).startsWith("address=127.0.0.1:7000\n");
        }
        assertThat(displaced).isEmpty();
    }

    @Test
    void aNodeThatIsRemovedIsMadeAgain() throws Exception {
        try (ServerRegistry registry = open(SETTINGS)) {
            registry.register(server(0, 1, 7_000), displaced::add);
            ensemble.admin.delete().forPath(Ensemble.path(run, 0));

            await().atMost(SOON).until(() -> !ensemble.node(run, 0).isEmpty());
        }
    }

    @Test
    void aServerWhoseNumberAnotherHasIsTold() throws Exception {
        try (ServerRegistry registry = open(SETTINGS)) {
            registry.register(server(0, 1, 7_000), displaced::add);
            ensemble.usurp(run, 0, "10.0.0.9:7009", 1);

            await().atMost(SOON).until(() -> !displaced.isEmpty());
            assertThat(displaced)
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("another server")
                    .contains("10.0.0.9:7009");
        }
        // The other's is left alone.
        assertThat(ensemble.node(run, 0)).contains("10.0.0.9:7009");
    }

    @Test
    void aNumberThatIsTakenIsWaitedForAndThenSaid() throws Exception {
        try (ServerRegistry first = open(SETTINGS);
                // Its limit runs out; to connect takes some of it.
                ServerRegistry second = open(new Settings("", SESSION, Duration.ofSeconds(5)));
                ServerRegistry third = open(SETTINGS)) {
            first.register(server(0, 1, 7_000), displaced::add);
            assertThatThrownBy(() -> second.register(server(0, 1, 7_001), displaced::add))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another server has the number, at 127.0.0.1:7000");

            var closing = new Thread(first::close);
            closing.start();
            third.register(server(0, 1, 7_002), displaced::add);

            closing.join();
            assertThat(ensemble.node(run, 0)).startsWith("address=127.0.0.1:7002\n");
        }
    }

    @Test
    void serversOfOtherCountsAreNotJoined() throws Exception {
        try (ServerRegistry first = open(SETTINGS);
                ServerRegistry second = open(SETTINGS)) {
            first.register(server(0, 2, 7_000), displaced::add);

            assertThatThrownBy(() -> second.register(server(1, 3, 7_001), displaced::add))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("server 0 at 127.0.0.1:7000 is one of 2 servers, this one is one of 3");
            assertThat(ensemble.node(run, 1)).isEmpty();
        }
    }

    @Test
    void nodesOfOthersArePassedOver() throws Exception {
        ensemble.admin.create().creatingParentsIfNeeded().forPath("/lazytables/" + run + "/notes", new byte[] {1});
        List<List<ServerRegistration>> heard = new CopyOnWriteArrayList<>();
        try (ServerRegistry follower = open(SETTINGS);
                ServerRegistry first = open(SETTINGS)) {
            first.register(server(0, 1, 7_000), displaced::add);
            follower.follow(heard::add);

            assertThat(heard).isNotEmpty().containsOnly(List.of(server(0, 1, 7_000)));
        }
    }

    @Test
    void whoIsNotOneOfTheOwnersIsToldThatItIsNotLetIn() throws Exception {
        try (ServerRegistry owner = open(with("digest:run:secret"));
                ServerRegistry same = open(with("digest:run:secret"));
                ServerRegistry other = open(with("digest:run:guess"));
                ServerRegistry nobody = open(SETTINGS)) {
            owner.register(server(0, 1, 7_000), displaced::add);

            List<List<ServerRegistration>> heard = new CopyOnWriteArrayList<>();
            same.follow(heard::add);
            assertThat(heard).isNotEmpty().containsOnly(List.of(server(0, 1, 7_000)));
            for (ServerRegistry stranger : List.of(other, nobody)) {
                assertThatThrownBy(() -> stranger.follow(heard::add))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("does not let this process in")
                        .hasMessageContaining("lazytables.registry.auth")
                        .message()
                        .doesNotContain("secret", "guess");
            }
        }
        assertThat(with("digest:run:secret").toString()).doesNotContain("secret");
    }

    @Test
    void anEnsembleThatDoesNotAnswerIsSaid() throws Exception {
        var impatient = new Settings("", SESSION, Duration.ofMillis(500));
        try (ServerRegistry registry =
                ZooKeeperRegistry.open(ZooKeeperLocation.parse("//127.0.0.1:1/run"), impatient)) {
            assertThatThrownBy(() -> registry.register(server(0, 1, 7_000), displaced::add))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no ZooKeeper answers at 127.0.0.1:1 within 500 ms");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "//", "//host:2181", "//host:2181/", "///run", "host:2181/run"})
    void locationsThatAreNoneAreRefused(String text) {
        assertThatThrownBy(() -> ZooKeeperLocation.parse(text))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("zookeeper://host:2181,host:2181/lazytables/run");
    }

    @Test
    void locationsAreRead() throws IOException {
        ZooKeeperLocation location = ZooKeeperLocation.parse("//a:2181,b:2181/lazytables/run");

        assertThat(location).isEqualTo(new ZooKeeperLocation("a:2181,b:2181", "/lazytables/run"));
        assertThat(location.node(3)).isEqualTo("/lazytables/run/3");
        assertThatThrownBy(() -> ZooKeeperLocation.parse("//a:2181/x//y")).hasMessageContaining("is no path");
        assertThatThrownBy(() -> open(with("secret"))).hasMessageContaining("is to be scheme:credentials");
    }

    private static List<ServerRegistration> last(List<List<ServerRegistration>> heard) {
        return heard.get(heard.size() - 1);
    }

    private static ServerRegistration server(int number, int count, int port) {
        return new ServerRegistration(number, count, new HostAndPort("127.0.0.1", port));
    }

    private static Settings with(String auth) {
        return new Settings(auth, SETTINGS.session(), SETTINGS.timeout());
    }

    private ZooKeeperRegistry open(Settings settings) throws IOException {
        String location = ensemble.location(run);
        return ZooKeeperRegistry.open(ZooKeeperLocation.parse(location.substring("zookeeper:".length())), settings);
    }
}
