package io.leeway.pipelining.internal.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.pipelining.PipelineDecision;
import io.leeway.pipelining.PipelineDecision.Outcome;
import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineStatus;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.internal.simulate.VirtualChain;
import io.leeway.pipelining.spi.PipelineClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ControllerTest {

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final double[] eight = {0, 1e4, 1e4, 1e4, 1e4, 1e4, 1e4, 1e4, 1e4};

    @Test
    void reachesOneThreadAnOperatorInThreeRounds() throws Exception {
        var host = new VirtualChain(HOUR, 64, 0, 0, false, eight);

        Controller controller = adapted(host, Map.of());

        // AutoPipelining §4.8.2.4: log2(8) rounds. The source's own thread keeps the first operator.
        assertThat(outcomes(controller)).containsExactly(Outcome.KEPT, Outcome.KEPT, Outcome.KEPT);
        assertThat(host.ports()).hasSize(7);
    }

    @Test
    void takesBackWhatDidNotHelpAndDoesNotTryItAgain() throws Exception {
        var host = new VirtualChain(HOUR, 64, 180, 0, false, 0, 100, 100, 100, 100);

        Controller controller = adapted(host, Map.of());

        assertThat(outcomes(controller)).contains(Outcome.REVERTED);
        assertThat(host.rate()).isGreaterThanOrEqualTo(1e9 / 400);
        assertThat(controller.status().decisions().stream()
                        .filter(decision -> decision.outcome() == Outcome.REVERTED)
                        .map(PipelineDecision::ports))
                .doesNotHaveDuplicates();
    }

    @Test
    void doesNotTryWhatHandingOverWouldSpoil() throws Exception {
        var host = new VirtualChain(HOUR, 64, 300, 300, false, 0, 100, 100, 100, 100);

        Controller controller = adapted(host, Map.of());

        assertThat(controller.status().decisions()).isEmpty();
        assertThat(host.placements()).isZero();
    }

    @Test
    void endsAsItBeganWhereAllOperatorsShareOneLock() throws Exception {
        var host = new VirtualChain(HOUR, 64, 0, 0, true, eight);
        double sequential = host.rate();

        Controller controller = adapted(host, Map.of());

        assertThat(outcomes(controller)).isNotEmpty().doesNotContain(Outcome.KEPT);
        assertThat(host.ports()).isEmpty();
        assertThat(host.rate()).isEqualTo(sequential);
    }

    @Test
    void givesUpWhenTooManyPortsHaveFailed() throws Exception {
        var host = new VirtualChain(HOUR, 64, 0, 0, true, eight);

        Controller controller = adapted(host, Map.of("pipelining.give-up", "0"));

        assertThat(outcomes(controller)).containsExactly(Outcome.REVERTED);
    }

    @Test
    void onlyTellsWhatItWouldDoIfItOnlyObserves() throws Exception {
        var host = new VirtualChain(HOUR, 64, 0, 0, false, eight);

        Controller controller = adapted(host, Map.of("pipelining.observe", "true"));

        assertThat(host.placements()).isZero();
        assertThat(outcomes(controller)).containsExactly(Outcome.OBSERVED);
        assertThat(controller.status().decisions().get(0).ports()).containsExactly(5);
        assertThat(controller.status().decisions().get(0).predictedGain()).isGreaterThan(1.9);
    }

    @Test
    void putsThreadsWhereTheUserSaidAndNowhereElse() throws Exception {
        var host = new VirtualChain(HOUR, 64, 0, 0, false, eight);
        List<PipelineGraph.Operator> operators = host.graph().operators();
        String names = operators.get(3).name() + "; " + operators.get(6).name() + ";nobody";
        var controller =
                new Controller(host, host, options(Map.of("pipelining.fixed", names)), (PipelineStatus status) -> {});

        controller.run();

        assertThat(host.ports())
                .containsExactlyInAnyOrder(
                        operators.get(3).id(), operators.get(6).id());
        assertThat(host.placements()).isEqualTo(1);
        assertThat(controller.status().decisions()).isEmpty();
    }

    @Test
    void tellsThreadsAsSoonAsTheyAreInAlsoWhileTheyAreTried() throws Exception {
        for (var given : List.of(Map.<String, String>of(), Map.of("pipelining.fixed", "o3"))) {
            var host = new VirtualChain(HOUR, 64, 0, 0, false, eight);
            var wrong = new ArrayList<Long>();
            var told = new AtomicReference<PipelineStatus>();
            var clock = new PipelineClock() {
                @Override
                public long nanos() {
                    return host.nanos();
                }

                @Override
                public void pause(long nanos) {
                    PipelineStatus last = told.get();
                    if (last != null && !last.ports().equals(host.ports())) {
                        wrong.add(nanos);
                    }
                    host.pause(nanos);
                }
            };

            new Controller(host, clock, options(given), told::set).run();

            assertThat(host.ports()).isNotEmpty();
            assertThat(wrong).isEmpty();
        }
    }

    @Test
    void usesNoMoreThreadsThanAllowed() throws Exception {
        var host = new VirtualChain(HOUR, 64, 0, 0, false, eight);

        adapted(host, Map.of("pipelining.threads", "2"));

        assertThat(host.ports()).hasSize(1);
    }

    @Test
    void leavesAGraphAloneWhoseSourceIsTheLimit() throws Exception {
        var host = new VirtualChain(HOUR, 64, 0, 0, false, eight);
        host.offer(1_000);

        Controller controller = adapted(host, Map.of());

        assertThat(controller.status().decisions()).isEmpty();
    }

    @Test
    void startsOverWhenTheLoadShifts() throws Exception {
        var host = new VirtualChain(HOUR, 64, 0, 0, false, eight);
        host.offer(1_000);
        var shifting = new Controller(host, new Shifting(host, HOUR / 2), options(Map.of()), status -> {});

        shifting.run();

        assertThat(host.ports()).as("ports after the source became fast").hasSize(7);
    }

    /** At some moment the source becomes fast. */
    private record Shifting(VirtualChain host, long at) implements io.leeway.pipelining.spi.PipelineClock {
        @Override
        public long nanos() {
            return host.nanos();
        }

        @Override
        public void pause(long nanos) {
            if (host.nanos() > at) {
                host.offer(Double.POSITIVE_INFINITY);
            }
            host.pause(nanos);
        }
    }

    private static Controller adapted(VirtualChain host, Map<String, String> given) throws InterruptedException {
        var controller = new Controller(host, host, options(given), (PipelineStatus status) -> {});
        controller.adapt();
        return controller;
    }

    private static PipeliningOptions options(Map<String, String> given) {
        var all = new HashMap<>(Map.of("pipelining.threads", "64", "pipelining.give-up", "1"));
        all.putAll(given);
        return PipeliningOptions.of(all);
    }

    private static List<Outcome> outcomes(Controller controller) {
        return controller.status().decisions().stream()
                .map(PipelineDecision::outcome)
                .toList();
    }
}
