package io.leeway.eppi.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.local.NetworkFiles;
import io.leeway.eppi.internal.metrics.Meters;
import io.leeway.eppi.node.EppiMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who holds connections, takes nothing or never comes to an end is left alone after the limit. */
class SlowMembersTest {

    /** The numbers of kinds in frames. */
    private static final int HELLO = List.of(Kind.values()).indexOf(Kind.HELLO);

    private static final int PART = List.of(Kind.values()).indexOf(Kind.PART);
    private static final int MEGABYTES_64 = 64 << 20;

    @TempDir
    Path directory;

    private Net net(NetworkFiles files, String name, Map<String, String> more) {
        Map<String, String> options = files.options(name);
        options.putAll(more);
        return new Net(Settings.of(options), new Meters());
    }

    @Test
    void membersThatDoNotTakeOrNeverEndAreLeftAfterTheLimit() throws Exception {
        NetworkFiles files = NetworkFiles.create(directory, "slow", 2, List.of("a"), List.of());
        Net slow = net(files, "coordinator-1", Map.of("eppi.timeout", "60s"));
        Net quick = net(files, "coordinator-0", Map.of("eppi.timeout", "1s"));
        takesNothing(quick, slow);
        sendsByteByByte(quick, slow);
        beginsAndSaysNothing(quick);
        sendsSignsOfLifeForEver(quick, slow);
        sendsEmptyPartsForEver(quick, slow);
    }

    private void takesNothing(Net quick, Net slow) throws Exception {
        assertEnds(
                Code.TIMEOUT, quick, slow, connection -> connection.send(Kind.FILE, new byte[MEGABYTES_64]), c -> {});
    }

    private void sendsByteByByte(Net quick, Net slow) throws Exception {
        assertEnds(Code.TIMEOUT, quick, slow, Connection::receive, connection -> {
            connection.raw(0, 16, 0, 0, HELLO);
            while (true) {
                // Each comes before the wait for the next byte is over; the megabyte would take days.
                connection.raw(0);
                pause();
            }
        });
    }

    private void sendsSignsOfLifeForEver(Net quick, Net slow) throws Exception {
        assertEnds(Code.MALFORMED, quick, slow, c -> c.expect(Kind.SHARE), c -> c.send(Kind.ALIVE, new byte[0]));
    }

    private void sendsEmptyPartsForEver(Net quick, Net slow) throws Exception {
        assertEnds(Code.MALFORMED, quick, slow, Connection::receive, c -> c.raw(0, 0, 0, 0, PART));
    }

    private static void beginsAndSaysNothing(Net quick) throws Exception {
        try (Listener listener = quick.listen(connection -> {});
                var stranger = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            stranger.setSoTimeout(60_000);
            stranger.getOutputStream().write(new byte[] {22, 3, 1});
            assertThat(isOver(stranger)).isTrue();
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> quick.meters().get(EppiMetrics.REFUSED) > 0);
        }
    }

    /** Whether the other side ended it; an alert may come before. */
    private static boolean isOver(Socket socket) {
        try {
            while (socket.getInputStream().read() >= 0) {
                // What comes does not matter.
            }
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private interface Act {
        void on(Connection connection) throws Exception;
    }

    private static void assertEnds(Code expected, Net quick, Net slow, Act served, Act rogue) throws Exception {
        var outcome = new CompletableFuture<EppiException>();
        try (Listener listener = quick.listen(connection -> {
            try {
                served.on(connection);
            } catch (EppiException e) {
                outcome.complete(e);
            } catch (Exception e) {
                outcome.completeExceptionally(e);
            }
        })) {
            assertThat(listener.port()).isPositive();
            try (Connection connection = slow.dial(quick.self())) {
                var thread = new Thread(() -> act(rogue, connection));
                thread.setDaemon(true);
                thread.start();
                assertThat(outcome.get(60, TimeUnit.SECONDS).code()).isEqualTo(expected);
            }
        }
    }

    private static void act(Act rogue, Connection connection) {
        try {
            rogue.on(connection);
        } catch (Exception leftAlone) {
            // As it should be.
        }
    }

    private static void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(200);
    }

    @Test
    void aRosterInWhichTwoMembersHaveTheSameKeyIsRefused() throws IOException {
        NetworkFiles.create(directory, "twice", 2, List.of("a"), List.of());
        Path roster = directory.resolve("roster");
        String line = Files.readAllLines(roster).stream()
                .filter(each -> each.startsWith("provider a "))
                .findFirst()
                .orElseThrow();
        Files.writeString(roster, Files.readString(roster) + line.replace("provider a ", "searcher b ") + "\n");
        assertThatExceptionOfType(EppiException.class)
                .isThrownBy(() -> io.leeway.eppi.internal.config.Roster.read(roster))
                .withMessageContaining("same key");
    }
}
