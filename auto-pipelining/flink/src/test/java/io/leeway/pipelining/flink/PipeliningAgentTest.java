package io.leeway.pipelining.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.pipelining.PipeliningOptions;
import org.junit.jupiter.api.Test;

class PipeliningAgentTest {

    @Test
    void readsOptionsWithAndWithoutTheirPrefix() {
        PipeliningOptions options = PipeliningAgent.options("observe,page.port=7373,pipelining.queue=8");

        assertThat(options.get(PipeliningOptions.OBSERVE)).isTrue();
        assertThat(options.get(PipeliningOptions.PAGE_PORT)).isEqualTo(7373);
        assertThat(options.get(PipeliningOptions.QUEUE)).isEqualTo(8);
    }

    @Test
    void namesAllFaultsAtOnce() {
        assertThatThrownBy(() -> PipeliningAgent.options("qeue=8,busy=7"))
                .hasMessageContaining("PIPELINING-1001")
                .hasMessageContaining("pipelining.qeue")
                .hasMessageContaining("pipelining.busy");
    }
}
