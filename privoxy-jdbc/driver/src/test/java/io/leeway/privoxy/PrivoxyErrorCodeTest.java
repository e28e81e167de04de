package io.leeway.privoxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrivoxyErrorCodeTest {

    private static final Refusal REFUSAL = new Refusal(
            "q7",
            "SELECT title FROM events WHERE eid = ?",
            "The event's title is not shown.",
            List.of(new Refusal.NearestView("MyEvents", "an attendance of yours")),
            "D1 | D2");

    @Test
    void numbersAreUniqueAndStatesHaveFiveCharacters() {
        assertThat(PrivoxyErrorCode.values())
                .extracting(PrivoxyErrorCode::number)
                .doesNotHaveDuplicates();
        assertThat(PrivoxyErrorCode.values()).allSatisfy(code -> {
            assertThat(code.sqlState()).matches("[0-9A-Z]{5}");
            assertThat(code.meaning()).endsWith(".");
            assertThat(code.remedy()).endsWith(".");
            assertThat(code.code()).isEqualTo("PRIVOXY-" + code.number());
        });
    }

    @Test
    void refusalsHaveTheStateOfMissingPrivilege() {
        assertThat(Arrays.stream(PrivoxyErrorCode.values())
                        .filter(code -> code.number() / 100 == 12)
                        .map(PrivoxyErrorCode::sqlState))
                .containsOnly("42501");
        var violation = new PolicyViolationException(REFUSAL);
        assertThat(violation.getSQLState()).isEqualTo("42501");
        assertThat(violation.getErrorCode()).isEqualTo(1201);
        assertThat(violation.refusal()).isSameAs(REFUSAL);
        assertThat((Throwable) violation).hasMessage("""
                        PRIVOXY-1201: The event's title is not shown. \
                        [Ask only for what the nearest view shows, or extend the policy.]
                        Query q7: SELECT title FROM events WHERE eid = ?
                        View MyEvents lacks: an attendance of yours
                        D1 | D2""");
    }

    @Test
    void whatIsNotUnderstoodOrNotDecidedHasStatesOfItsOwn() {
        var unsupported = UnsupportedQueryException.sql("TABLESAMPLE", 21, 1, 22);
        assertThat(unsupported.getSQLState()).isEqualTo("0A000");
        assertThat(unsupported.construct()).isEqualTo("TABLESAMPLE");
        assertThat(unsupported.offset()).isEqualTo(21);
        assertThat((Throwable) unsupported).hasMessageContaining("TABLESAMPLE at line 1, column 22");
        assertThat(UnsupportedQueryException.sql("a text in another language").offset())
                .isEqualTo(UnsupportedQueryException.NO_OFFSET);
        var undecided = new UndecidedQueryException(REFUSAL);
        assertThat(undecided.getSQLState()).isEqualTo("HYP01");
        assertThat(undecided.refusal()).isSameAs(REFUSAL);
        assertThat(undecided.code()).isEqualTo(PrivoxyErrorCode.UNDECIDED);
    }

    @Test
    void exceptionsTravel() throws Exception {
        for (SQLException original : List.of(
                new PolicyViolationException(REFUSAL),
                new UndecidedQueryException(REFUSAL),
                UnsupportedQueryException.call("this", "Do that."),
                new PrivoxyFailureException(PrivoxyErrorCode.POLICY, "bad"))) {
            var bytes = new ByteArrayOutputStream();
            try (var out = new ObjectOutputStream(bytes)) {
                out.writeObject(original);
            }
            try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                var copy = (SQLException) in.readObject();
                assertThat((Throwable) copy).hasMessage(original.getMessage());
                assertThat(((PrivoxyException) copy).code()).isEqualTo(((PrivoxyException) original).code());
            }
        }
    }

    @Test
    void aRefusalMayBeNothingButItsReason() {
        assertThat(Refusal.of("", "", "No.").summary()).isEqualTo("No.");
    }

    @Test
    void aSecretOptionIsNotShown() {
        PrivoxyOption<String> secret = PrivoxyOption.secret("privoxySecret", "", "A secret.");

        assertThat(secret.sensitive()).isTrue();
        assertThat(secret.parse(" x ")).isEqualTo("x");
        assertThat(PrivoxyOptions.POLICY.sensitive()).isFalse();
    }
}
