package io.leeway.lazytables.internal.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.client.ClientCore;
import io.leeway.lazytables.internal.client.ClientSettings;
import io.leeway.lazytables.internal.client.ClientTable;
import io.leeway.lazytables.internal.client.WorkerCore;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.ServerCore;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Programs on strict tables whose floating point numbers depend on all that they read, run over several networks: every worker reads the same numbers to the last bit, whatever came first. On tables that
 * are not strict the same programs do read different numbers, so the comparison can fail.
 */
class StrictBitsTest {

    private static final int PROGRAMS = Depth.of(60, 6_000);
    private static final int SCHEDULES = 4;
    private static final int MAX_STEPS = 1_000_000;
    private static final CombineOps OPS = CombineOps.of(List.of());

    @Test
    void strictTablesGiveTheSameBitsInEveryRun() {
        long first = Seeds.seed("strict bits");
        for (long program = first; program < first + PROGRAMS; program++) {
            assertSameBits(program);
        }
    }

    private static void assertSameBits(long program) {
        List<LongArrayList> expected = new Run(program, 0, true).reads();
        assertThat(expected).allMatch(bits -> bits.size() > 10);
        for (int schedule = 1; schedule < SCHEDULES; schedule++) {
            assertThat(new Run(program, schedule, true).reads())
                    .as("program %d, schedule %d", program, schedule)
                    .isEqualTo(expected);
        }
    }

    /**
     * A worker added twice to a cell in one clock, of a row that came ahead of the read in one run and with it in the other: there
     * its updates were added one by one, here their sum.
     */
    private static final long CAME_AHEAD_OR_NOT = 5233102322020077543L;

    @Test
    void ownUpdatesAreAddedUpInOneWayWheneverTheRowCame() {
        assertSameBits(CAME_AHEAD_OR_NOT);
    }

    @Test
    void otherTablesDoNot() {
        long first = Seeds.seed("strict bits");
        int differ = 0;
        for (long program = first; program < first + PROGRAMS; program++) {
            differ += new Run(program, 0, false).reads().equals(new Run(program, 1, false).reads()) ? 0 : 1;
        }
        assertThat(differ).isPositive();
    }

    /** A program that its number makes, over a network that does what another number says. */
    private static final class Run {

        private static final int ROWS = 4;
        private static final int COLUMNS = 6;

        private final Random schedule;
        private final List<ClientCore> clients = new ArrayList<>();
        private final List<ServerCore> servers = new ArrayList<>();
        private final List<Program> programs = new ArrayList<>();
        private final Network network;
        private int breaksLeft = 10;

        Run(long program, int schedule, boolean strict) {
            this.schedule = new Random(program * SCHEDULES + schedule);
            var shape = new Random(program);
            int processes = 1 + shape.nextInt(3);
            int workers = 2 + shape.nextInt(2);
            int clocks = 3 + shape.nextInt(5);
            int slack = shape.nextInt(3);
            CellType type = shape.nextBoolean() ? CellType.FLOAT : CellType.DOUBLE;
            TableSpec spec = shape.nextBoolean() ? TableSpec.dense(type, COLUMNS) : TableSpec.sparse(type);
            spec = strict ? spec.slack(slack).asStrict() : spec.slack(slack);
            int serverCount = 1 + shape.nextInt(2);
            for (int i = 0; i < serverCount; i++) {
                servers.add(new ServerCore(processes, OPS));
            }
            for (int p = 0; p < processes; p++) {
                // Caches and asking ahead belong to the schedule: they must not show.
                Prefetch prefetch = this.schedule.nextBoolean() ? Prefetch.NONE : Prefetch.learned();
                int rows = this.schedule.nextBoolean() ? Integer.MAX_VALUE : 1 + this.schedule.nextInt(3);
                var client = new ClientCore(new ClientSettings(
                        p, processes, workers, serverCount, p + 1, prefetch, rows, rows, false, Long.MAX_VALUE));
                clients.add(client);
                ClientTable table = client.define("t", spec);
                for (int w = 0; w < workers; w++) {
                    programs.add(new Program(client, client.worker(w), table, shape.nextLong(), clocks, slack));
                }
            }
            network = new Network(clients, servers);
        }

        /** The bits of all that each worker read. */
        List<LongArrayList> reads() {
            for (int step = 0; step < MAX_STEPS; step++) {
                if (programs.stream().allMatch(Program::isOver)) {
                    return programs.stream().map(program -> program.bits).toList();
                }
                step();
            }
            throw new AssertionError("The program does not end");
        }

        private void step() {
            int what = schedule.nextInt(
                    programs.size() + clients.size() + network.links().size());
            if (what < programs.size()) {
                programs.get(what).step();
            } else if (what < programs.size() + clients.size()) {
                network.flushClient(what - programs.size());
            } else {
                Network.Link link = network.links().get(what - programs.size() - clients.size());
                if (breaksLeft > 0 && schedule.nextInt(500) == 0) {
                    breaksLeft--;
                    link.breakDown(schedule);
                } else if (link.isBusy()) {
                    link.step(schedule);
                }
            }
        }
    }

    /** What a worker does; it depends on its own random numbers and on what it reads, and on nothing else. */
    private static final class Program {

        private static final int ACTIONS = 6;

        final LongArrayList bits = new LongArrayList();
        private final ClientCore client;
        private final WorkerCore worker;
        private final ClientTable table;
        private final Random random;
        private final int clocks;
        private final int slack;
        private int actions;
        private long row;
        private int rowSlack;
        private boolean chosen;

        Program(ClientCore client, WorkerCore worker, ClientTable table, long seed, int clocks, int slack) {
            this.client = client;
            this.worker = worker;
            this.table = table;
            this.clocks = clocks;
            this.slack = slack;
            random = new Random(seed);
        }

        boolean isOver() {
            return worker.clock() == clocks;
        }

        void step() {
            assertThat(client.failure()).isNull();
            if (isOver()) {
                return;
            }
            if (!chosen) {
                row = random.nextInt(Run.ROWS);
                rowSlack = random.nextInt(slack + 1);
                chosen = true;
            }
            RowView view = worker.cached(table, row, worker.required(rowSlack));
            if (view == null) {
                view = client.read(worker, table, row, rowSlack);
            }
            if (view != null) {
                chosen = false;
                act(view);
            }
        }

        private void act(RowView view) {
            double sum = 0;
            for (int column = 0; column < Run.COLUMNS; column++) {
                double value = view.get(column);
                bits.add(Double.doubleToRawLongBits(value));
                sum += value;
            }
            // Sizes that differ much, so that another order of additions gives another sum.
            int column = random.nextInt(Run.COLUMNS);
            double delta = random.nextGaussian() * Math.pow(10, random.nextInt(8) - 4) - sum * 0.1;
            worker.updateDouble(table, random.nextInt(Run.ROWS), column, delta);
            if (++actions == ACTIONS) {
                actions = 0;
                client.clock(worker);
            }
        }
    }
}
