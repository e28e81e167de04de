package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.Refusal;
import io.leeway.privoxy.UndecidedQueryException;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AuditTest {

    private static final Refusal WHY = Refusal.of("q1", "SELECT ?", "No view shows it.");
    private static final List<SQLException> REFUSALS = List.of(
            new PolicyViolationException(WHY),
            new UndecidedQueryException(WHY),
            UnsupportedQueryException.call("this call", "Use another."),
            new PrivoxyFailureException(PrivoxyErrorCode.INTERNAL, "A fault."),
            new SQLException("of the driver"));

    private final List<Outcome> counted = new ArrayList<>();
    private final Audit audit = new Audit(new PrivoxyMetricsTracker() {
        @Override
        public void audited(Outcome outcome) {
            counted.add(outcome);
        }
    });

    @Test
    void nothingThatIsRefusedPassesWhereThePolicyIsEnforced() {
        for (SQLException refusal : REFUSALS) {
            Denial denial = Denial.of(refusal);
            assertThat(audit.passes(denial, PrivoxyMode.ENFORCE)).isFalse();
            assertThatThrownBy(() -> {
                        throw denial.exception();
                    })
                    .isSameAs(refusal);
        }
        assertThat(counted).isEmpty();
    }

    @Test
    void allThatPassesInAuditModeIsCountedByWhatItIs() {
        for (SQLException refusal : REFUSALS) {
            assertThat(audit.passes(Denial.of(refusal), PrivoxyMode.AUDIT)).isTrue();
        }
        assertThat(counted)
                .containsExactly(Outcome.DENY, Outcome.UNDECIDED, Outcome.UNSUPPORTED, Outcome.ERROR, Outcome.ERROR);
    }

    @Test
    void nothingIsCountedWhereChecksAreOff() {
        for (SQLException refusal : REFUSALS) {
            assertThat(audit.passes(Denial.of(refusal), PrivoxyMode.OFF)).isTrue();
        }
        assertThat(counted).isEmpty();
    }

    @Test
    void onlyEnforcingHoldsBack() {
        assertThat(PrivoxyMode.values())
                .filteredOn(mode -> !Audit.letsPass(mode))
                .containsExactly(PrivoxyMode.ENFORCE);
    }
}
