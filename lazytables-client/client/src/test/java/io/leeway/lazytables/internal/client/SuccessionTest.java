package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.internal.client.Succession.Place;
import org.junit.jupiter.api.Test;

/** Where a process goes on, by what servers say of the one before it. */
class SuccessionTest {

    private final Succession succession = new Succession(4, 2);

    @Test
    void beginsAtTheLastClockThatAllServersHaveWhole() {
        succession.said(0, new Place(0, 7, 6, false, false, 0, 0));
        assertThat(succession.isDecided()).isFalse();
        succession.said(1, new Place(2, 6, 5, false, false, 0, 0));

        assertThat(succession.clock()).isEqualTo(6);
        assertThat(succession.generation()).isEqualTo(3);
        assertThat(succession.skips()).isFalse();
    }

    @Test
    void beginsWhereTheOthersAreIfAServerHasGoneOnWithoutIt() {
        succession.said(0, new Place(0, 9, 9, true, false, 0, 0));
        succession.said(1, new Place(0, 6, 5, false, false, 0, 0));

        assertThat(succession.clock()).isEqualTo(9);
        assertThat(succession.skips()).isTrue();
    }

    @Test
    void beginsAtTheFurthestClockIfItIsNew() {
        succession.said(0, new Place(0, 3, 3, true, false, 0, 0));
        succession.said(1, new Place(0, 4, 4, true, false, 0, 0));

        assertThat(succession.clock()).isEqualTo(4);
    }

    @Test
    void beginsWhereItsPredecessorHadToldOneServerThatItSkips() {
        succession.said(0, new Place(1, 1, 1, false, true, 0, 0));
        succession.said(1, new Place(0, 0, 0, false, false, 0, 0));

        assertThat(succession.clock()).isEqualTo(1);
        assertThat(succession.generation()).isEqualTo(2);
        assertThat(succession.skips()).isTrue();
    }

    @Test
    void refusesToSkipWhatItsPredecessorDidWhereItHadSkipped() {
        succession.said(0, new Place(1, 2, 2, false, false, 0, 0));

        assertThatThrownBy(() -> succession.said(1, new Place(0, 0, 0, false, false, 0, 0)))
                .hasMessageContaining("LAZY-1304");
    }

    @Test
    void refusesToSkipWhatAServerHasLostSinceAllWereTold() {
        succession.said(0, new Place(1, 2, 2, false, false, 0, 0));

        assertThatThrownBy(() -> succession.said(1, new Place(1, 1, 1, false, true, 0, 0)))
                .hasMessageContaining("LAZY-1304");
    }

    @Test
    void refusesToGoOnWhereServersDisagree() {
        succession.said(0, new Place(0, 6, 6, false, false, 0, 0));

        assertThatThrownBy(() -> succession.said(1, new Place(0, 5, 5, false, false, 0, 0)))
                .isInstanceOf(LazyTablesException.class)
                .hasMessageContaining("LAZY-1304")
                .hasMessageContaining("number 4 ended while its clock 6 was on its way");
        assertThat(succession.isDecided()).isFalse();
    }

    @Test
    void staysWithWhatWasDecided() {
        succession.said(0, new Place(0, 6, 6, false, false, 0, 0));
        succession.said(1, new Place(0, 6, 6, false, false, 0, 0));
        succession.said(1, new Place(0, 2, 2, false, false, 0, 0));

        assertThat(succession.clock()).isEqualTo(6);
    }
}
