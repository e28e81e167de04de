package io.leeway.netsim.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.netsim.internal.net.Fabric;
import io.leeway.netsim.internal.net.FabricConfig;
import io.leeway.netsim.internal.net.Topology;
import io.leeway.netsim.internal.sim.Rng;
import io.leeway.netsim.internal.sim.Spread;
import io.leeway.testkit.Depth;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlowTableTest {

    @Test
    void findsWhatAMapFindsWhateverIsPutAndRemoved() {
        Fabric fabric = new Fabric(Topology.star(2), FabricConfig.netApprox(1e9, 1));
        FlowTable table = new FlowTable();
        Map<Integer, Flow> map = new HashMap<>();
        Rng rng = new Rng(11);
        for (int i = 0; i < Depth.of(20_000, 1_000_000); i++) {
            int number = rng.nextInt(300);
            Flow flow = map.remove(number);
            if (flow == null) {
                flow = Transport.UDP.flow(
                        fabric, new Flow.Ends(number, 0, 1, () -> {}, new Spread()), new Batch(new int[] {1}, 1));
                map.put(number, flow);
                table.put(number, flow);
            } else {
                table.remove(number);
            }
            int other = rng.nextInt(300);
            assertThat(table.get(other)).isSameAs(map.get(other));
            assertThat(table.size()).isEqualTo(map.size());
        }
        int[] seen = {0};
        table.each((number, flow) -> seen[0] += map.get(number) == flow ? 1 : 0);
        assertThat(seen[0]).isEqualTo(map.size());
    }
}
