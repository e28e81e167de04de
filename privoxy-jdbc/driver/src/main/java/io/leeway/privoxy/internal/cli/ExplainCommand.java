package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.console.Arguments;
import io.leeway.privoxy.internal.console.CommandException;
import io.leeway.privoxy.internal.console.Console;
import io.leeway.privoxy.internal.console.Usage;
import io.leeway.privoxy.internal.console.Words;
import io.leeway.privoxy.internal.guard.Denial;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.guard.RowRecorder;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.guard.Trial;
import io.leeway.privoxy.internal.model.QueryPrinter;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.request.ContextValues;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells how one statement is decided on. */
final class ExplainCommand implements Command {

    private static final int WIDTH = 160;

    private static final Usage USAGE = new Usage(
            PROGRAM,
            "explain",
            "tell how one statement is decided on, and why",
            "SQL",
            List.of("""
                    Nothing is sent to a database. What the request has read before is said with --seen and --row:
                      privoxy explain --policy policy.sql --schema schema.txt --context MyUId=2 \\
                        --seen "SELECT * FROM attendances WHERE user_id = 2" --row "2, 5, NULL" \\
                        "SELECT title FROM events WHERE id = 5"
                    """.strip(), "Exit code: 0 it is allowed, 1 it is refused, 2 it could not be done."),
            Workspace.and(
                    new Usage.Option("context", "NAME=VALUE", "a parameter of the request; may be repeated"),
                    new Usage.Option("bind", "VALUE", "a value for the next ? of the SQL; may be repeated"),
                    new Usage.Option("seen", "SQL", "an earlier query of the request; may be repeated"),
                    new Usage.Option("row", "VALUES", "a row that it returned, as \"2, 'x', NULL\"; may be repeated")));

    @Override
    public Usage usage() {
        return USAGE;
    }

    @Override
    public int run(Arguments arguments, Console console) throws CommandException {
        if (arguments.operands().size() != 1) {
            throw arguments.problem("give one SQL statement, in quotes");
        }
        var bound = new ArrayList<@Nullable Object>();
        for (String value : arguments.all("bind")) {
            bound.add(Literals.value(value));
        }
        try (Workspace workspace = Workspace.open(arguments, console)) {
            LoadedPolicy policy = workspace.policy(arguments);
            Trial trial = workspace.trial(
                    Workspace.config(
                            arguments,
                            Map.of(
                                    PrivoxyOptions.EXPLAIN.key(), "counterexample",
                                    PrivoxyOptions.VALUES.key(), "true",
                                    PrivoxyOptions.TEMPLATE_USE.key(), "none")),
                    policy);
            Request request = request(arguments);
            see(arguments, trial, workspace.session(), request);
            String sql = arguments.operands().get(0);
            Trial.Result result = trial.run(sql, workspace.session(), request, parameters(bound));
            print(result, trial, console.out());
            return result.isCompliant() ? FINE : FOUND;
        }
    }

    private static Request request(Arguments arguments) throws CommandException {
        try {
            return new Request(ContextValues.of(arguments.pairs("context")), new Trace(Replay.BOUNDS));
        } catch (IllegalArgumentException refused) {
            throw new CommandException(String.valueOf(refused.getMessage()), refused);
        }
    }

    static Parameters parameters(List<@Nullable Object> bound) {
        return index -> index <= bound.size() ? bound.get(index - 1) : Parameters.UNKNOWN;
    }

    /** Takes in what the request has read before. */
    private static void see(Arguments arguments, Trial trial, SessionState session, Request request)
            throws CommandException {
        RowRecorder recorder = null;
        boolean hasQuery = false;
        for (Arguments.Given option : arguments.inOrder()) {
            if (option.name().equals("seen")) {
                recorder = recorder(trial.run(option.value(), session, request, Parameters.NONE), option.value());
                hasQuery = true;
            } else if (option.name().equals("row")) {
                if (!hasQuery) {
                    throw new CommandException("--row belongs behind the --seen whose row it is");
                }
                if (recorder != null) {
                    row(recorder, Literals.values(option.value()));
                }
            }
        }
    }

    private static @Nullable RowRecorder recorder(Trial.Result earlier, String sql) throws CommandException {
        Permit permit = earlier.permit();
        if (permit == null) {
            String why = Objects.requireNonNull(earlier.refusal()).logged();
            throw new CommandException(
                    "the earlier query \"" + Words.line(sql, WIDTH) + "\" is refused itself: " + why);
        }
        permit.executed();
        return permit.recorder();
    }

    private static void row(RowRecorder recorder, List<@Nullable Object> values) throws CommandException {
        int[] columns = recorder.columns();
        @Nullable Object[] cells = new Object[columns.length];
        for (int i = 0; i < columns.length; i++) {
            if (columns[i] > values.size()) {
                throw new CommandException("a row has " + Words.count(values.size(), "value") + ", the query returns "
                        + columns[i] + " or more columns; write * for values that are not known");
            }
            cells[i] = values.get(columns[i] - 1);
        }
        recorder.row(cells);
    }

    private static void print(Trial.Result result, Trial trial, PrintStream out) {
        out.println("Query " + result.queryId() + ": " + Words.line(result.query(), WIDTH));
        StatementPlan plan = result.plan();
        if (plan != null) {
            plan(plan, out);
            questions(result, plan, trial, out);
        }
        out.println();
        if (result.isCompliant()) {
            out.println("Allowed" + by(result.stage()));
        } else {
            refused(Objects.requireNonNull(result.refusal()), out);
        }
    }

    private static void plan(StatementPlan plan, PrintStream out) {
        if (!plan.writes().isEmpty()) {
            out.println("It writes "
                    + String.join(", ", plan.writes().stream().sorted().toList())
                    + "; only what it reads is decided on.");
        }
        if (plan.obligations().isEmpty()) {
            out.println("It reads no data of tables.");
        }
    }

    private static void questions(Trial.Result result, StatementPlan plan, Trial trial, PrintStream out) {
        if (result.answers().isEmpty()) {
            return;
        }
        out.println();
        out.println("To be shown by the policy:");
        var printer = new QueryPrinter(trial.schema());
        for (Trial.Answer answer : result.answers()) {
            String verdict = answer.isCompliant() ? "yes" + by(answer.stage()) : "no";
            out.println("  " + answer.obligation().reason() + ": " + verdict);
            out.println("    "
                    + printer.print(Substitution.arguments(answer.obligation().query(), answer.arguments())));
        }
        long asked = result.answers().stream()
                .map(Trial.Answer::obligation)
                .distinct()
                .count();
        long left = plan.obligations().stream().distinct().count() - asked;
        if (left > 0) {
            out.println("  and " + Words.count(left, "more question") + ", which did not matter any more");
        }
    }

    private static String by(Stage stage) {
        return switch (stage) {
            case COLUMN -> ", by its columns alone";
            case TEMPLATE -> ", by a template";
            case CHASE -> ", proved by the chase";
            case SOLVER -> ", proved by a solver";
            case NONE -> "";
        };
    }

    private static void refused(Denial why, PrintStream out) {
        out.println("Refused" + why.label() + ": " + why.reason());
        if (!why.nearestViews().isEmpty()) {
            out.println();
            out.println("Nearest views, and what they lack:");
            why.nearestViews().forEach(view -> out.println("  " + view.name() + ": " + view.lacks()));
        }
        if (!why.counterexample().isEmpty()) {
            out.println();
            out.println(why.counterexample());
        }
    }
}
