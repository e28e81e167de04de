package io.leeway.eppi.internal.mpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class OtGroupTest {

    @Test
    void theStandardGroupHasTheFirstAndLastDigitsThatRfc7919Prints() {
        assertThat(OtGroup.STANDARD.prime().toString(16))
                .hasSize(768)
                .startsWith("ffffffffffffffffadf85458a2bb4a9aafdc5620273d3cf1")
                .endsWith("25e41d2b66c62e37ffffffffffffffff");
    }

    @Test
    void bothPrimesAreSafe() {
        for (OtGroup group : new OtGroup[] {OtGroup.STANDARD, Parties.TOY}) {
            BigInteger half = group.prime().subtract(BigInteger.ONE).shiftRight(1);
            assertThat(group.prime().isProbablePrime(20)).isTrue();
            assertThat(half.isProbablePrime(20)).isTrue();
        }
    }
}
