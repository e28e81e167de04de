package io.leeway.privoxy.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RequestScopeTest {

    private static final Trace.Bounds BOUNDS = new Trace.Bounds(10, 10, 100);

    @Test
    void eachGuardHasATraceOfItsOwn() {
        var scope = new RequestScope(Map.of("MyUId", Value.of(2)));
        Object one = new Object();
        Object other = new Object();

        assertThat(scope.of(one, BOUNDS)).isSameAs(scope.of(one, BOUNDS));
        assertThat(scope.of(one, BOUNDS).trace())
                .isNotSameAs(scope.of(other, BOUNDS).trace());
        assertThat(scope.of(other, BOUNDS).context()).isEqualTo(scope.context());
    }

    @Test
    void guardsAreToldApartByIdentityThoughTheyAreEqual() {
        var scope = new RequestScope(Map.of());

        assertThat(scope.of(new String("guard"), BOUNDS)).isNotSameAs(scope.of(new String("guard"), BOUNDS));
    }

    @Test
    void afterTheEndNothingIsRemembered() {
        var scope = new RequestScope(Map.of());
        Request request = scope.of("guard", BOUNDS);

        scope.end();

        assertThat(scope.ended()).isTrue();
        request.trace().limit(Trace.Bounds.NOTHING);
        assertThat(request.trace().entries()).isEmpty();
    }

    @Test
    void aNumberGivenAsTextDoesNotContradictTheSameNumber() {
        var scope = new RequestScope(Map.of("MyUId", Value.of(2)));

        assertThat(scope.contradicts(Map.of("MyUId", Value.of("2")))).isFalse();
        assertThat(scope.contradicts(Map.of("MyUId", Value.of("3")))).isTrue();
        assertThat(scope.contradicts(Map.of("MyOrg", Value.of("3")))).isFalse();
    }

    @Test
    void valuesAreCanonical() {
        assertThat(ContextValues.of("p", 2)).isEqualTo(Value.of(2));
        assertThat(ContextValues.of("p", (byte) 2)).isEqualTo(Value.of(2));
        assertThat(ContextValues.of("p", new BigDecimal("2.0"))).isEqualTo(Value.of(2));
        assertThat(ContextValues.of("p", BigInteger.TWO)).isEqualTo(Value.of(2));
        assertThat(ContextValues.of("p", null)).isEqualTo(Value.NULL);
        assertThat(ContextValues.of("p", true)).isEqualTo(Value.TRUE);
        assertThat(ContextValues.of("p", 'x')).isEqualTo(Value.of("x"));
        assertThat(ContextValues.of("p", ValueKind.TEXT)).isEqualTo(Value.of("TEXT"));
        Instant now = Instant.EPOCH;
        assertThat(ContextValues.of("p", now.atOffset(ZoneOffset.ofHours(3)))).isEqualTo(ContextValues.of("p", now));
    }

    @Test
    void aValueWithoutCanonicalFormIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> ContextValues.of("MyUId", 4.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MyUId")
                .hasMessageContaining("Double")
                .hasMessageNotContaining("4.5");
        assertThatThrownBy(() -> ContextValues.of(" ", 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void textIsReadAsTheKindThatThePolicyExpects() {
        UUID id = UUID.fromString("00000000-0000-0000-0000-000000000001");
        var request = new Request(
                Map.of(
                        "n",
                        Value.of(" 2 "),
                        "u",
                        Value.of(id.toString()),
                        "d",
                        Value.of("2020-02-29"),
                        "b",
                        Value.of("TRUE")),
                new Trace(BOUNDS));

        assertThat(request.context("n", ValueKind.NUMBER)).isEqualTo(Value.of(2));
        assertThat(request.context("u", ValueKind.UUID)).isEqualTo(Value.of(ValueKind.UUID, id));
        assertThat(request.context("d", ValueKind.DATE)).isEqualTo(Value.of(ValueKind.DATE, LocalDate.of(2020, 2, 29)));
        assertThat(request.context("b", ValueKind.BOOLEAN)).isEqualTo(Value.TRUE);
        assertThat(request.context("d", ValueKind.NUMBER)).isNull();
        assertThat(request.context("absent", ValueKind.NUMBER)).isNull();
    }
}
