package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class IndexStateTest {

    @Test
    void whatWasNotWrittenIsBuiltBeforeItIsRead() {
        for (IndexState from : IndexState.values()) {
            for (IndexState to : IndexState.values()) {
                if (!from.isWritten() && to.isReadable()) {
                    assertThat(from.mayBecome(to)).as("%s -> %s", from, to).isFalse();
                }
            }
        }
    }

    @Test
    void whatIsReadIsWritten() {
        for (IndexState state : IndexState.values()) {
            assertThat(state.isWritten() || !state.isReadable()).as("%s", state).isTrue();
        }
    }

    @Test
    void everythingMayBeDroppedAndNothingComesBack() {
        for (IndexState state : IndexState.values()) {
            assertThat(state.mayBecome(IndexState.DROPPING)).isEqualTo(state != IndexState.DROPPING);
            assertThat(IndexState.DROPPING.mayBecome(state)).isFalse();
        }
    }

    @Test
    void aStepThatIsNotAllowedSaysWhichAre() {
        assertThat(IndexState.BUILDING.become(IndexState.ACTIVE)).isEqualTo(IndexState.ACTIVE);
        assertThatThrownBy(() -> IndexState.DISABLED.become(IndexState.ACTIVE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("an index that is DISABLED cannot become ACTIVE; it may become [BUILDING, DROPPING]");
    }
}
