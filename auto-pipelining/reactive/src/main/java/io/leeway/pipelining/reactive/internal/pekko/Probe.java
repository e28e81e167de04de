package io.leeway.pipelining.reactive.internal.pekko;

import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** Passes elements on, and notes that they went by. Stands in front of a flow. */
final class Probe extends GraphStage<FlowShape<Object, Object>> {

    private final Islands islands;
    private final int flow;
    private final Inlet<Object> in = Inlet.create("probe.in");
    private final Outlet<Object> out = Outlet.create("probe.out");
    private final FlowShape<Object, Object> shape = FlowShape.of(in, out);

    Probe(Islands islands, int flow) {
        this.islands = islands;
        this.flow = flow;
    }

    @Override
    public FlowShape<Object, Object> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic {

        Logic() {
            super(shape);
            setHandler(in, new AbstractInHandler() {
                @Override
                public void onPush() {
                    // An island runs one flow at a time in one thread: until the next probe it is the one behind this.
                    islands.passed(flow);
                    push(out, grab(in));
                }
            });
            setHandler(out, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    islands.asked(flow);
                    pull(in);
                }
            });
        }
    }
}
