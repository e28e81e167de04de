package io.leeway.demo.privoxy;

import io.leeway.demo.Decision;
import io.leeway.demo.Teller;
import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.fixtures.Expected;
import io.leeway.testkit.fixtures.FixtureInstance;
import io.leeway.testkit.fixtures.Page;
import io.leeway.testkit.fixtures.PageRun;
import io.leeway.testkit.fixtures.PageRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;

/** What a curious or careless application would ask, and why it gets no answer. */
final class Refusals {

    private static final int SHOWN = 12;

    private final DataSource checked;
    private final FixtureInstance network;
    private final Teller teller;

    Refusals(DataSource checked, FixtureInstance network, Teller teller) {
        this.checked = checked;
        this.network = network;
        this.teller = teller;
    }

    void show() throws SQLException {
        teller.heading("Ways around a policy, and where they end");
        String example = "";
        int shown = 0;
        for (Page page : network.scenarios().get(0).violations()) {
            if (shown++ == SHOWN) {
                break;
            }
            String found = run(page);
            example = example.isEmpty() ? found : example;
        }
        if (!example.isEmpty()) {
            teller.text(
                    "In development a refusal also shows why, as two tiny databases that the policy cannot tell apart"
                            + " and the query can. No data of the real database is in it:");
            teller.code(example);
        }
    }

    /** Runs a page that must be refused; returns its counterexample, if there is one. */
    private String run(Page page) throws SQLException {
        String example = "";
        try (PrivoxyRequest request = Privoxy.begin(
                        Map.of("MyUId", Objects.requireNonNull(page.context().get("MyUId"))));
                Connection connection = checked.getConnection()) {
            connection.setAutoCommit(false);
            for (PageRun.Execution execution : PageRunner.run(connection, page).executions()) {
                if (execution.query().expected() == Expected.REFUSED) {
                    teller.decision(decision(page, execution));
                    if (execution.failure() instanceof PolicyViolationException refusal && example.isEmpty()) {
                        example = refusal.refusal().counterexample();
                    }
                }
            }
            connection.rollback();
        }
        return example;
    }

    private static Decision decision(Page page, PageRun.Execution execution) {
        SQLException failure = execution.failure();
        String reason = failure instanceof PolicyViolationException refusal
                ? refusal.refusal().reason()
                : failure == null ? "the policy file does not forbid it" : String.valueOf(failure.getMessage());
        return new Decision(page.name(), execution.statement().sql(), failure == null, reason);
    }
}
