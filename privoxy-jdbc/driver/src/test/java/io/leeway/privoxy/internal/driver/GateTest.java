package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.guard.ContextCommand;
import io.leeway.privoxy.internal.guard.Denial;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Ruling;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GateTest {

    private final List<PrivoxyMetricsTracker.Outcome> measured = new ArrayList<>();
    private final List<PrivoxyMetricsTracker.Outcome> audited = new ArrayList<>();
    private final PrivoxyMetricsTracker tracker = new PrivoxyMetricsTracker() {
        @Override
        public void checked(Stage stage, Outcome outcome, long nanos) {
            measured.add(outcome);
        }

        @Override
        public void audited(Outcome outcome) {
            audited.add(outcome);
        }
    };

    @Test
    void whatTheGuardHasDecidedAndMeasuredIsNotMeasuredOnceMore() {
        Supplier<Ruling> refuses = () -> Denial.of(UnsupportedQueryException.sql("a setting to another value than 1"));

        assertThatThrownBy(() -> check(refuses, PrivoxyMode.ENFORCE)).isInstanceOf(UnsupportedQueryException.class);
        assertThat(measured).isEmpty();
    }

    @Test
    void itPassesInAuditModeAndIsCountedAsThat() throws SQLException {
        check(() -> Denial.of(UnsupportedQueryException.sql("a setting to another value than 1")), PrivoxyMode.AUDIT);

        assertThat(audited).containsExactly(PrivoxyMetricsTracker.Outcome.UNSUPPORTED);
        assertThat(measured).isEmpty();
    }

    @Test
    void aGuardThatBreaksIsAnErrorAndMeasuredHere() {
        Supplier<Ruling> breaks = () -> {
            throw new IllegalStateException("broken");
        };

        assertThatThrownBy(() -> check(breaks, PrivoxyMode.ENFORCE))
                .isInstanceOfSatisfying(
                        PrivoxyFailureException.class,
                        failure -> assertThat(failure.code()).isEqualTo(PrivoxyErrorCode.INTERNAL));
        assertThat(measured).containsExactly(PrivoxyMetricsTracker.Outcome.ERROR);
    }

    private void check(Supplier<Ruling> ruling, PrivoxyMode mode) throws SQLException {
        new Gate(new OffGuard(), mode, tracker).check(new Ruled(ruling), Request.NOBODY, Parameters.NONE);
    }

    private record Ruled(Supplier<Ruling> ruling) implements GuardedStatement {

        @Override
        public StatementPlan.Kind kind() {
            return StatementPlan.Kind.SESSION;
        }

        @Override
        public @Nullable ContextCommand contextCommand() {
            return null;
        }

        @Override
        public boolean changesSession() {
            return false;
        }

        @Override
        public Ruling check(Request request, Parameters parameters) {
            return ruling.get();
        }
    }
}
