package io.leeway.eppi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class TokenTest {

    private static final byte[] KEY = new byte[32];

    @Test
    void spellingsOfOneIdentityAreOnePerson() {
        for (String spelling : List.of(
                "ab-12 34", " AB.1234", "ab1234\n", "\uff21\uff221234", "ab\u201312\u00a034", "\ufeffab12\u200b34")) {
            assertThat(Token.of(spelling, KEY)).isEqualTo(Token.of("ab1234", KEY));
        }
    }

    @Test
    void whatHasNeitherLettersNorDigitsIsNobody() {
        for (String nobody : List.of("", " ", "---", "\u2013\ufeff")) {
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(() -> Token.of(nobody, KEY))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(EppiException.Code.IDENTITY));
        }
    }

    @Test
    void anotherKeyIsAnotherPseudonym() {
        byte[] other = KEY.clone();
        other[0] = 1;
        assertThat(Token.of("ab1234", KEY)).isNotEqualTo(Token.of("ab1234", other));
    }

    @Test
    void theTextAndTheBytesAreReadBack() {
        Token token = Token.of("somebody", KEY);
        byte[] bytes = new byte[20];
        token.write(bytes, 3);

        assertThat(Token.parse(token.toString())).isEqualTo(token);
        assertThat(Token.read(bytes, 3)).isEqualTo(token);
        assertThatIllegalArgumentException().isThrownBy(() -> Token.parse("xyz"));
    }

    @Test
    void wishesOutsideOfTheRangeAreRefused() {
        Token token = Token.of("somebody", KEY);
        for (double epsilon : new double[] {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(() -> new Wish(token, epsilon))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(EppiException.Code.EPSILON));
        }
    }
}
