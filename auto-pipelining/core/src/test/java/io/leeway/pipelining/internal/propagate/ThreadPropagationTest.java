package io.leeway.pipelining.internal.propagate;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Merge;
import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipelineGraph.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ThreadPropagationTest {

    /** AutoPipelining §4.7.1, Figures 25 and 26: a fork whose ways meet again. */
    private static PipelineGraph diamond(Merge merge) {
        return new PipelineGraph(
                List.of(
                        Operator.source(0, "source"),
                        Operator.of(1, "o1", false, Merge.AS_SEQUENTIAL),
                        Operator.of(2, "o2", false, Merge.AS_SEQUENTIAL),
                        Operator.of(3, "o3", true, merge)),
                List.of(new Stream(0, 1), new Stream(0, 2), new Stream(1, 3), new Stream(2, 3)));
    }

    private static final PipelineGraph CYCLE = new PipelineGraph(
            List.of(
                    Operator.source(0, "a"),
                    Operator.source(1, "b"),
                    Operator.of(2, "in", true, Merge.PER_INPUT),
                    Operator.of(3, "round", true, Merge.PER_INPUT),
                    Operator.of(4, "out", true, Merge.PER_INPUT)),
            List.of(new Stream(0, 2), new Stream(1, 3), new Stream(2, 3), new Stream(3, 2), new Stream(3, 4)));

    @Test
    void turnsTheLockOnWhereASecondThreadComesToState() {
        PipelineGraph graph = diamond(Merge.PER_INPUT);

        assertThat(ThreadPropagation.of(graph, Set.of()).locked()).isEmpty();
        assertThat(ThreadPropagation.of(graph, Set.of(2)).locked()).containsExactly(3);
        assertThat(ThreadPropagation.of(graph, Set.of(2)).refusals()).isEmpty();
        assertThat(ThreadPropagation.of(graph, Set.of(2)).threadsIn(3)).containsExactly(0, 2);
    }

    @Test
    void needsNoLockWhereThePortItselfIsAtTheState() {
        ThreadPropagation propagation = ThreadPropagation.of(diamond(Merge.PER_INPUT), Set.of(2, 3));

        assertThat(propagation.locked()).isEmpty();
        assertThat(propagation.threadsBefore(3)).containsExactly(0, 2);
        assertThat(propagation.threads()).containsExactly(0, 2, 3);
    }

    @Test
    void refusesWhatWouldInterleaveTuplesOfOneSourceOtherwise() {
        PipelineGraph graph = diamond(Merge.AS_SEQUENTIAL);

        assertThat(ThreadPropagation.of(graph, Set.of(2)).refusals()).containsOnlyKeys(3);
        assertThat(ThreadPropagation.of(graph, Set.of(3)).refusals()).isEmpty();
    }

    @Test
    void refusesPortsInCyclesAndAllowsThemBehind() {
        assertThat(ThreadPropagation.of(CYCLE, Set.of(2)).refusals()).containsOnlyKeys(2);
        assertThat(ThreadPropagation.of(CYCLE, Set.of(3)).refusals()).containsOnlyKeys(3);
        assertThat(ThreadPropagation.of(CYCLE, Set.of(4)).refusals()).isEmpty();
    }

    @Test
    void givesOperatorsOfOneCycleOneLock() {
        ThreadPropagation propagation = ThreadPropagation.of(CYCLE, Set.of());

        assertThat(propagation.locked()).containsExactly(2, 3, 4);
        assertThat(propagation.lockOf(2)).isEqualTo(propagation.lockOf(3)).isNotEqualTo(propagation.lockOf(4));
    }

    @Test
    void refusesWhatDoesNotExistAndWhatIsASource() {
        assertThat(ThreadPropagation.of(CYCLE, Set.of(0, 77)).refusals()).containsOnlyKeys(0, 77);
    }

    @Test
    void copesWithChainsOfThousandsOfOperatorsAndOneLargeCycle() {
        int count = 20_000;
        var operators = new ArrayList<Operator>(List.of(Operator.source(0, "source")));
        var streams = new ArrayList<Stream>();
        for (int i = 1; i <= count; i++) {
            operators.add(Operator.of(i, "o" + i, true, Merge.PER_INPUT));
            streams.add(new Stream(i - 1, i));
        }
        var chain = new PipelineGraph(operators, streams);
        streams.add(new Stream(count, 2));
        var cycle = new PipelineGraph(operators, streams);

        assertThat(ThreadPropagation.of(chain, Set.of(count)).refusals()).isEmpty();
        assertThat(ThreadPropagation.of(cycle, Set.of(1)).refusals()).isEmpty();
        assertThat(ThreadPropagation.of(cycle, Set.of(count)).refusals()).containsOnlyKeys(count);
        assertThat(ThreadPropagation.of(cycle, Set.of()).lockOf(count)).isEqualTo(2);
    }

    @Test
    void seesAnOperatorThatFeedsItself() {
        var graph = new PipelineGraph(
                List.of(Operator.source(0, "source"), Operator.of(1, "round", true, Merge.PER_INPUT)),
                List.of(new Stream(0, 1), new Stream(1, 1)));

        assertThat(ThreadPropagation.of(graph, Set.of(1)).refusals()).containsOnlyKeys(1);
    }
}
