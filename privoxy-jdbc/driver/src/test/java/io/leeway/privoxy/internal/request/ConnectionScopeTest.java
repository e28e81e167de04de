package io.leeway.privoxy.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.Value;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectionScopeTest {

    private final ConnectionScope scope = new ConnectionScope(Map.of());

    @Test
    void withoutContextThereIsNoRequest() {
        assertThat(scope.use()).isNull();
    }

    @Test
    void parametersThatFollowEachOtherAreOneIdentity() {
        scope.set("MyUId", Value.of(2));
        scope.set("MyOrg", Value.of(7));

        assertThat(scope.context()).isEqualTo(Map.of("MyUId", Value.of(2), "MyOrg", Value.of(7)));
    }

    @Test
    void aParameterSetAfterAStatementIsANewIdentityWithoutTheOldOne() {
        scope.set("MyUId", Value.of(2));
        RequestScope before = scope.use();

        scope.set("MyOrg", Value.of(7));

        assertThat(scope.context()).isEqualTo(Map.of("MyOrg", Value.of(7)));
        assertThat(before).isNotNull().extracting(RequestScope::ended).isEqualTo(true);
        assertThat(scope.use()).isNotSameAs(before);
    }

    @Test
    void theSameIdentitySetAgainIsANewRequest() {
        scope.set("MyUId", Value.of(2));
        RequestScope before = scope.use();

        scope.set("MyUId", Value.of(2));

        assertThat(scope.use()).isNotSameAs(before);
    }

    @Test
    void aParameterSetTwiceBeforeAStatementDropsTheOthers() {
        scope.set("MyUId", Value.of(2));
        scope.set("MyOrg", Value.of(7));
        scope.set("MyUId", Value.of(3));

        assertThat(scope.context()).isEqualTo(Map.of("MyUId", Value.of(3)));
    }

    @Test
    void theRequestStaysTheSameFromStatementToStatement() {
        scope.set("MyUId", Value.of(2));

        assertThat(scope.use()).isNotNull().isSameAs(scope.use());
    }

    @Test
    void theEndDropsWhatWasGivenAndBringsThePresetBack() {
        var preset = new ConnectionScope(Map.of("MyUId", Value.of(1)));
        RequestScope first = preset.use();
        preset.set("MyUId", Value.of(2));
        assertThat(first).isNotNull().extracting(RequestScope::ended).isEqualTo(true);

        preset.end();

        assertThat(preset.context()).isEqualTo(Map.of("MyUId", Value.of(1)));
        assertThat(preset.use()).isNotNull().isNotSameAs(first);
    }

    @Test
    void aParameterTakenBackEndsTheRequest() {
        scope.set("MyUId", Value.of(2));
        RequestScope before = scope.use();

        scope.remove("MyUId");

        assertThat(before).isNotNull().extracting(RequestScope::ended).isEqualTo(true);
        assertThat(scope.use()).isNull();
    }
}
