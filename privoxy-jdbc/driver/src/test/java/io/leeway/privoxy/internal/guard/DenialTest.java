package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.Refusal;
import io.leeway.privoxy.UndecidedQueryException;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class DenialTest {

    private static final Refusal WHY = new Refusal(
            "q1", "SELECT ?", "No view shows it.", List.of(new Refusal.NearestView("mine", "column b")), "Two rows.");

    @ParameterizedTest
    @EnumSource(
            value = PrivoxyErrorCode.class,
            names = {"VIOLATION", "NO_CONTEXT", "WRITE_REFUSED", "NOT_REVIEWED"})
    void whatThePolicyDoesNotAllowIsDenied(PrivoxyErrorCode error) {
        Denial denial = new Denial.Decided(error, WHY);

        assertThat(denial.outcome()).isEqualTo(Outcome.DENY);
        saysTheSameEverywhere(denial, PolicyViolationException.class, error);
    }

    @Test
    void whatIsNotDecidedIsUndecided() {
        Denial denial = new Denial.Decided(PrivoxyErrorCode.UNDECIDED, WHY);

        assertThat(denial.outcome()).isEqualTo(Outcome.UNDECIDED);
        saysTheSameEverywhere(denial, UndecidedQueryException.class, PrivoxyErrorCode.UNDECIDED);
    }

    @Test
    void aDecisionIsFinalAndTellsAllThatIsKnown() {
        Denial denial = new Denial.Decided(PrivoxyErrorCode.VIOLATION, WHY);

        assertThat(denial.isFinal()).isTrue();
        assertThat(denial.reason()).isEqualTo(WHY.reason());
        assertThat(denial.nearestViews()).isEqualTo(WHY.nearestViews());
        assertThat(denial.counterexample()).isEqualTo(WHY.counterexample());
        assertThat(denial.label()).isEqualTo(" (PRIVOXY-1201)");
    }

    @Test
    void whatIsNotUnderstoodIsUnsupported() {
        Denial denial = Denial.of(UnsupportedQueryException.sql("TABLESAMPLE"));

        assertThat(denial.outcome()).isEqualTo(Outcome.UNSUPPORTED);
        assertThat(denial.isFinal()).isFalse();
        saysTheSameEverywhere(denial, UnsupportedQueryException.class, PrivoxyErrorCode.UNSUPPORTED_SQL);
        assertThat(denial.reason()).isEqualTo(denial.logged()).startsWith("PRIVOXY-1301");
    }

    @Test
    void aFaultOfOursIsAnError() {
        Denial denial = Denial.of(new PrivoxyFailureException(PrivoxyErrorCode.SCHEMA, "It cannot be read."));

        assertThat(denial.outcome()).isEqualTo(Outcome.ERROR);
        saysTheSameEverywhere(denial, PrivoxyFailureException.class, PrivoxyErrorCode.SCHEMA);
    }

    @Test
    void theWordsOfTheDatabaseAreNeitherLoggedNorRecorded() {
        Denial denial = Denial.of(new SQLException("value 4711 is wrong", "22000"));

        assertThat(denial.outcome()).isEqualTo(Outcome.ERROR);
        assertThat(denial.code()).isEmpty();
        assertThat(denial.reason()).isEmpty();
        assertThat(denial.logged()).isEqualTo("java.sql.SQLException, SQLState 22000");
        assertThat(denial.exception().getMessage()).isEqualTo("value 4711 is wrong");
    }

    private static void saysTheSameEverywhere(Denial denial, Class<?> type, PrivoxyErrorCode error) {
        SQLException thrown = denial.exception();

        assertThat((Object) thrown).isInstanceOf(type).isInstanceOf(PrivoxyException.class);
        assertThat(thrown.getSQLState()).isEqualTo(error.sqlState());
        assertThat(thrown.getErrorCode()).isEqualTo(error.number());
        assertThat(denial.code()).isEqualTo(error.code());
        assertThat(denial.logged()).isEqualTo(thrown.getMessage());
    }
}
