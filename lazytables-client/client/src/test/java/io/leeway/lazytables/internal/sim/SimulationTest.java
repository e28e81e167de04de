package io.leeway.lazytables.internal.sim;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Random programs over clients, servers and a network that delays and breaks: no read breaks a promise. */
class SimulationTest {

    private static final int RUNS = Depth.of(200, 20_000);

    /** Servers went on without a process 0 that had not come to one of them, whose tables then were of no run. */
    private static final long WITHOUT_PROCESS_0 = 4469231654975810640L;

    @Test
    void tablesOfClocksAreOfOneRunThoughAServerNeverSawProcess0() {
        Simulation.run(WITHOUT_PROCESS_0);
    }

    /** A server was restarted after all had ended, heard of it in another order, and let a process join before a clock that was over. */
    private static final long ENDS_IN_ANOTHER_ORDER = 4469231654975827988L;

    @Test
    void whoJoinsWhenAllHaveEndedBeginsBehindThem() {
        Simulation.run(ENDS_IN_ANOTHER_ORDER);
    }

    /**
     * A server dropped a process that had come back before it heard of that, applied what waited for its word, and waited for it again: it
     * said of the next one's predecessor that all have its clocks.
     */
    private static final long DROPPED_AND_AWAITED = 4469231654977590070L;

    @Test
    void whatOneServerAppliedWhenItDroppedAProcessIsNoClockThatAllHave() {
        Simulation.run(DROPPED_AND_AWAITED);
    }

    @Test
    void everyReadKeepsEveryPromise() {
        long first = Seeds.seed("simulation");
        for (int i = 0; i < RUNS; i++) {
            Simulation.run(first + i);
        }
    }
}
