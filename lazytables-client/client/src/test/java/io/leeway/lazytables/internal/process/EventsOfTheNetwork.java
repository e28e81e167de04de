package io.leeway.lazytables.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.client.ClientCore;
import io.leeway.lazytables.internal.client.ClientSettings;
import io.leeway.lazytables.internal.client.ClientTable;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.net.NetworkThread;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumSet;

/**
 * A program in which the network thread brings an event while a worker is in the midst of the process's core: it waits for the worker. The simulator has one thread, and Lincheck's stress seldom meets that moment; here
 * the worker stays in it until the network thread waits or is done.
 */
public final class EventsOfTheNetwork {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final ClientCore core = new ClientCore(ClientSettings.of(0, 1, 1, 1, 1));
    private final Midst midst = new Midst();
    private final ClientProcess process = new ClientProcess(core, midst, LIMIT, Long.MAX_VALUE);
    private final ClientTable table = process.define("t", TableSpec.dense(CellType.LONG, 1));

    private EventsOfTheNetwork() {}

    /** Brings one event of each kind; fails if one does not wait. */
    public static void run() {
        var program = new EventsOfTheNetwork();
        program.waits("a connection that opens", () -> program.process.onOpen(0));
        program.waits("a frame", () -> program.process.onFrame(0, new byte[0], 0, 0));
        program.waits("a connection that ends", () -> program.process.onClosed(0, null));
    }

    private void waits(String what, Runnable event) {
        var network = new Thread(event, "network");
        network.setDaemon(true);
        midst.runTasks();
        String before = state();
        midst.action = () -> {
            network.start();
            await().atMost(LIMIT).until(() -> isWaitingOrDone(network));
            assertThat(network.getState()).as(what).isNotEqualTo(Thread.State.TERMINATED);
            assertThat(state()).as(what).isEqualTo(before);
        };
        process.sendWith(new CopyingSender((peer, frame) -> {}));
        await().atMost(LIMIT).until(() -> network.getState() == Thread.State.TERMINATED);
        assertThat(state()).as(what).isNotEqualTo(before);
    }

    private static boolean isWaitingOrDone(Thread thread) {
        return EnumSet.of(Thread.State.WAITING, Thread.State.TERMINATED).contains(thread.getState());
    }

    /** What events change. */
    private String state() {
        return process.traffic() + core.describe(table, 0, 1);
    }

    /** The moment in which a worker has the lock and has something sent. */
    private static final class Midst implements NetworkThread {

        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        private Runnable action = () -> {};

        /** Until then nothing more is to be sent. */
        void runTasks() {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
            Runnable once = action;
            action = () -> {};
            once.run();
        }

        @Override
        public void executeAfter(Runnable task, long delayNanos) {
            throw new AssertionError("nothing is put off");
        }
    }
}
