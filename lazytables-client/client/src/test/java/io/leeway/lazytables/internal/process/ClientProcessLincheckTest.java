package io.leeway.lazytables.internal.process;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.client.ClientCore;
import io.leeway.lazytables.internal.client.ClientSettings;
import io.leeway.lazytables.internal.client.ClientTable;
import io.leeway.lazytables.internal.client.WorkerCore;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.net.NetworkThread;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.ServerCore;
import io.leeway.testkit.Depth;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;

/**
 * What workers and the network thread share: the process's cache, its log of what is not sent, its clock. Each thread is a worker of its own, one of them the network thread too, as which it takes one step at a
 * time. The server is a real one, reached by queues. Every result is one that some order of whole operations explains.
 */
@Param(name = "worker", gen = ThreadIdGen.class)
public class ClientProcessLincheckTest {

    private static final int WORKERS = 2;
    private static final int ITERATIONS = Depth.of(4, 20);
    private static final int INVOCATIONS = Depth.of(150, 1000);

    private final ClientCore core = new ClientCore(ClientSettings.of(0, 1, WORKERS, 1, 1));
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<byte[]> toServer = new ArrayDeque<>();
    private final ArrayDeque<byte[]> toClient = new ArrayDeque<>();
    private final ServerCore server = new ServerCore(1, CombineOps.of(List.of()));
    private final ClientProcess process = new ClientProcess(core, new Tasks(), Duration.ofMinutes(1), Long.MAX_VALUE);
    private final ClientTable table;

    /** With a row in the process's cache, so that reads wait for nobody. */
    public ClientProcessLincheckTest() {
        process.sendWith(CopyingSender.into(toServer));
        table = process.define("t", TableSpec.dense(CellType.LONG, WORKERS));
        server.onOpen(0);
        process.onOpen(0);
        process.refresh(table, new long[] {0}, 0, 0);
        while (!tasks.isEmpty() || !toServer.isEmpty() || !toClient.isEmpty()) {
            flush();
            serve();
            answer();
        }
    }

    /** A worker updates its cell and ends its clock. */
    @Operation
    public int clock(@Param(name = "worker") int worker) {
        WorkerCore own = core.worker(worker % WORKERS);
        own.updateLong(table, 0, own.index(), 1);
        process.clock(own);
        return own.clock();
    }

    /** What a worker sees of all updates. */
    @Operation
    public String read(@Param(name = "worker") int worker) {
        RowView row = process.read(core.worker(worker % WORKERS), table, 0, TableSpec.ASYNC);
        return row.getLong(0) + ", " + row.getLong(1);
    }

    /** The network thread sends what is there, and all that is to arrive does. */
    @Operation(nonParallelGroup = "network")
    public void network() {
        flush();
        serve();
        answer();
    }

    private void flush() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void serve() {
        for (byte[] frame = toServer.poll(); frame != null; frame = toServer.poll()) {
            server.onFrame(0, frame, 0, frame.length);
        }
        server.flush(CopyingSender.into(toClient));
    }

    private void answer() {
        for (byte[] frame = toClient.poll(); frame != null; frame = toClient.poll()) {
            process.onFrame(0, frame, 0, frame.length);
        }
    }

    @Test
    void whatThreadsDoIsExplained() {
        new StressOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(WORKERS)
                .actorsPerThread(4)
                .check(ClientProcessLincheckTest.class);
    }

    private final class Tasks implements NetworkThread {

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void executeAfter(Runnable task, long delayNanos) {
            throw new AssertionError("nothing is put off");
        }
    }
}
