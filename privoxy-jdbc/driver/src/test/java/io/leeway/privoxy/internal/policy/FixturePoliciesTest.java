package io.leeway.privoxy.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SqlOptions;
import io.leeway.privoxy.internal.sql.SqlParser;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The policies of the fixtures are in the language, in every dialect. */
class FixturePoliciesTest {

    @ParameterizedTest
    @ValueSource(strings = {"calendar", "social", "shop", "grading"})
    void areInTheLanguage(String fixture) throws InvalidPolicyException {
        String location = "classpath:io/leeway/testkit/fixtures/" + fixture + "/policy.sql";
        var findings = new ArrayList<Finding>();

        List<PolicyStatement> statements =
                PolicyParser.parse(PolicyFiles.read(List.of(location)).sources().get(0), findings);

        assertThat(findings).isEmpty();
        assertThat(statements).hasSizeGreaterThan(2);
        for (PolicyStatement statement : statements) {
            if (statement instanceof PolicyStatement.View view) {
                assertParses(view.query());
            } else if (statement instanceof PolicyStatement.Assertion assertion) {
                assertParses(assertion.left());
                if (assertion.right() != null) {
                    assertParses(assertion.right());
                }
            }
        }
    }

    private static void assertParses(Body body) {
        for (Dialect dialect : Dialect.values()) {
            assertThatCode(() ->
                            SqlParser.parse(body.sql(), SqlOptions.of(dialect).forPolicy()))
                    .as("%s at %s", dialect, body.position(0))
                    .doesNotThrowAnyException();
        }
    }
}
