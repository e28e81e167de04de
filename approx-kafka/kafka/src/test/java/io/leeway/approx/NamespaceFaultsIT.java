package io.leeway.approx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leeway.testkit.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Both ends in processes of their own, with a router and its real queues between them, while links fail, processes are
 * killed, and buffers are watched (leak detection at paranoid). Where there can be no namespaces they are skipped, and say
 * why.
 */
class NamespaceFaultsIT {

    private static final int RECORDS = 20_000;
    private static final String ROOM = "33554432";

    @TempDir
    static Path directory;

    private Namespaces network;
    private Namespaces.Program far;
    private Namespaces.Program near;

    @BeforeAll
    static void keys() throws Exception {
        String missing = Namespaces.missing();
        assumeTrue(missing.isEmpty(), missing);
        KeyStores.make(directory, "ip:" + Namespaces.DESTINATION);
    }

    @BeforeEach
    void start() throws Exception {
        network = new Namespaces(directory);
        startFar(ROOM);
    }

    @AfterEach
    void stop() throws Exception {
        network.close();
        StringBuilder said = new StringBuilder();
        try (Stream<Path> logs = Files.list(directory)) {
            for (Path log :
                    logs.filter(path -> path.toString().contains("log-")).toList()) {
                said.append(Files.readString(log));
                Files.delete(log);
            }
        }
        assertThat(said.toString()).doesNotContain("LEAK", "Exception in thread");
    }

    private void startFar(String room) throws Exception {
        startFar(room, 60);
    }

    private void startFar(String room, int forgetSeconds) throws Exception {
        far = network.start("d", FarEnd.class, directory.toString(), room, "" + forgetSeconds);
        far.await("ready", 1);
    }

    private void startNear() throws Exception {
        near = network.start("s", NearEnd.class, directory.toString(), Namespaces.DESTINATION);
        near.await("ready", 1);
    }

    private void window(int number) throws Exception {
        near.tell("" + RECORDS);
        near.await("taken", number);
    }

    /** The window is over at both ends, and has what it was promised. */
    private void expectKept(int number) throws Exception {
        assertThat(near.await("drained", number)).isEqualTo("drained true");
        assertThat(near.await("finished", number)).isEqualTo("finished true");
        assertThat(far.await("report", number)).startsWith("report " + RECORDS).endsWith("true");
    }

    @Test
    void aWindowIsCompletedWhenTheLinkWasAwayForAMoment() throws Exception {
        startNear();
        window(1);
        network.link("down");
        Thread.sleep(500);
        network.link("up");
        expectKept(1);
    }

    @Test
    void aSenderThatIsKilledHindersNobody() throws Exception {
        startNear();
        window(1);
        near.kill();
        startNear();
        window(1);
        expectKept(1);
    }

    @Test
    void theWindowOfASenderThatIsKilledIsReportedAsNotKept() throws Exception {
        far.kill();
        startFar(ROOM, 1);
        startNear();
        near.tell("" + RECORDS);
        near.await("taken", 1);
        near.kill();
        // Unless it was through before the kill.
        assertThat(far.await("report", 1)).matches("report \\d+ 0 false|report " + RECORDS + " \\d+ true");
    }

    @Test
    @Tag(Depth.DEEP)
    void aWindowIsCompletedOverTcpAndThenByDatagramsAgainWhenTheLinkWasAwayForLong() throws Exception {
        startNear();
        window(1);
        network.link("down");
        Thread.sleep(6_000);
        network.link("up");
        expectKept(1);
        window(2);
        expectKept(2);
    }

    @Test
    @Tag(Depth.DEEP)
    void aWindowEndsWithItsReceiverAndIsReportedAsNotKeptByTheNextOne() throws Exception {
        startNear();
        window(1);
        far.kill();
        startFar(ROOM);
        assertThat(near.await("drained", 1)).isEqualTo("drained true");
        window(2);
        assertThat(near.await("drained", 2)).isEqualTo("drained true");
        assertThat(near.await("finished", 2)).isEqualTo("finished true");
        // The first window was lost, unless it was through before the kill.
        boolean through = near.await("finished", 1).equals("finished true");
        if (!through) {
            assertThat(far.await("report", 1)).startsWith("report " + RECORDS).endsWith("false");
        }
        assertThat(far.await("report", through ? 1 : 2))
                .startsWith("report " + RECORDS)
                .endsWith("true");
    }

    @Test
    @Tag(Depth.DEEP)
    void aPathOfShortPacketsHasShortDatagrams() throws Exception {
        network.link("mtu 600");
        startNear();
        window(1);
        expectKept(1);
        assertThat(near.await("taken", 1)).isEqualTo("taken datagrams");
    }

    @Test
    @Tag(Depth.DEEP)
    void aWindowIsCompletedThoughThePathNarrows() throws Exception {
        startNear();
        window(1);
        expectKept(1);
        network.link("mtu 600");
        window(2);
        expectKept(2);
    }

    @Test
    @Tag(Depth.DEEP)
    void aFullReceiverSlowsTheSenderDownAndNothingElse() throws Exception {
        far.kill();
        startFar("1048576");
        startNear();
        far.tell("hold");
        window(1);
        for (int i = 1; i <= 20; i++) {
            far.tell("state");
            String[] state = far.await("state", i).split(" ");
            assertThat(Long.parseLong(state[1])).isLessThanOrEqualTo(1_048_576);
            Thread.sleep(50);
        }
        far.tell("go on");
        expectKept(1);
    }

    @Test
    @Tag(Depth.DEEP)
    void aFloodOfForgedDatagramsIsCountedAndNothingElse() throws Exception {
        startNear();
        Namespaces.Program flood = network.start("s", ForgedFlood.class, Namespaces.DESTINATION);
        flood.await("flooding", 1);
        window(1);
        expectKept(1);
        flood.kill();
        far.tell("state");
        assertThat(Long.parseLong(far.await("state", 1).split(" ")[2])).isPositive();
    }

    @Test
    @Tag(Depth.DEEP)
    void reordersDoublesAndDamages() throws Exception {
        try {
            network.weather("delay 2ms 1ms reorder 25% duplicate 10% corrupt 5%");
        } catch (IOException e) {
            abort("this kernel has no netem; FaultsIT does the same with a relay: " + e.getMessage());
        }
        startNear();
        window(1);
        expectKept(1);
    }
}
