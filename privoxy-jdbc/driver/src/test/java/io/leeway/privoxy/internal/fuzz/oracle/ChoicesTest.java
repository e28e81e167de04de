package io.leeway.privoxy.internal.fuzz.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ChoicesTest {

    @Test
    void whatWasDrawnIsMadeOnceMore() {
        RandomGenerator random = Seeds.random("choices");
        Choices drawn = Choices.drawn(random);
        List<Integer> first = List.of(drawn.below(10), drawn.below(3), drawn.below(100));
        Choices again = Choices.again(drawn.made());

        assertThat(List.of(again.below(10), again.below(3), again.below(100))).isEqualTo(first);
        assertThat(again.below(7)).as("behind the end").isZero();
    }

    @Test
    void aFindingIsShrunkToTheDecisionsThatItNeeds() {
        List<Integer> made = List.of(3, 9, 0, 4, 8, 2, 2, 7, 1, 5, 6, 6, 3, 1);
        List<Integer> small = Choices.shrunk(made, some -> some.contains(7) && some.contains(5), 200);

        assertThat(small).containsExactly(7, 5);
    }

    @Test
    void shrinkingEndsWithItsTries() {
        List<Integer> made = List.of(1, 2, 3, 4);

        assertThat(Choices.shrunk(made, some -> true, 0)).isEqualTo(made);
    }
}
