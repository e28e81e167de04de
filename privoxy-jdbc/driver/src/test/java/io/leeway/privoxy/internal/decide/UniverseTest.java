package io.leeway.privoxy.internal.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.Value;
import org.junit.jupiter.api.Test;

class UniverseTest {

    private final Universe universe = new Universe();

    @Test
    void aClassKeepsItsConstantsOfEveryKind() {
        int zero = universe.constant(Value.of(0));
        int yes = universe.constant(Value.TRUE);

        universe.merge(zero, yes);

        assertThat(universe.contradictory()).isFalse();
        assertThat(universe.areKnownDifferent(zero, universe.constant(Value.FALSE)))
                .isTrue();
        assertThat(universe.areKnownDifferent(yes, universe.constant(Value.of(1))))
                .isTrue();
        assertThat(universe.isLess(yes, universe.constant(Value.of(1)), true)).isTrue();
    }

    @Test
    void constantsOfOneKindContradictThroughThoseOfAnother() {
        universe.merge(universe.constant(Value.of(0)), universe.constant(Value.TRUE));

        universe.merge(universe.constant(Value.of("no")), universe.constant(Value.FALSE));
        assertThat(universe.contradictory()).isFalse();

        universe.merge(universe.constant(Value.of(0)), universe.constant(Value.of("no")));
        assertThat(universe.contradictory()).isTrue();
    }

    @Test
    void aCopyKeepsConstantsOfEveryKind() {
        universe.merge(universe.constant(Value.of(0)), universe.constant(Value.TRUE));

        Universe copy = universe.copy();

        assertThat(copy.areKnownDifferent(copy.constant(Value.of(0)), copy.constant(Value.FALSE)))
                .isTrue();
    }

    @Test
    void aTruthValueThatIsNotANumberIsNotTheOtherTruthValue() {
        int flag = universe.fresh();
        universe.markBoolean(flag);

        universe.assumeNotEqual(flag, universe.constant(Value.of(1)));

        assertThat(universe.valueOf(flag)).isNull();
    }

    @Test
    void aTruthValueThatIsNotTrueIsFalse() {
        int flag = universe.fresh();
        universe.markBoolean(flag);

        universe.assumeNotEqual(universe.constant(Value.TRUE), flag);

        assertThat(universe.valueOf(flag)).isEqualTo(Value.FALSE);
    }
}
