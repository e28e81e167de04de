package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.console.Arguments;
import io.leeway.privoxy.internal.console.CommandException;
import io.leeway.privoxy.internal.console.Console;
import io.leeway.privoxy.internal.console.ProgressLine;
import io.leeway.privoxy.internal.console.Usage;
import io.leeway.privoxy.internal.console.Words;
import io.leeway.privoxy.internal.guard.ChaseRedundancy;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.policy.Finding;
import io.leeway.privoxy.internal.policy.InvalidPolicyException;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.policy.PolicyLint;
import io.leeway.privoxy.internal.policy.SourceText;
import java.util.List;

/** Checks policy files. */
final class LintCommand implements Command {

    private static final Usage USAGE = new Usage(
            PROGRAM,
            "lint",
            "check policy files",
            "POLICY...",
            List.of(
                    """
                    Reports errors, which keep the policy from being used, with file, line, column and remedy; and
                    warnings and notes on what is allowed but perhaps not meant: views that others make superfluous,
                    views that are never true or show whole tables, tables without a key, columns and tables that no
                    view shows.
                    """.strip(),
                    "Exit code: 0 no errors, 1 errors or missing tables (with --strict also warnings), 2 it could not be done."),
            Workspace.and(
                    new Usage.Option("strict", "", "warnings count as errors"),
                    new Usage.Option("quiet", "", "no notes")));

    @Override
    public Usage usage() {
        return USAGE;
    }

    @Override
    public int run(Arguments arguments, Console console) throws CommandException {
        List<SourceText> sources = Workspace.sources(arguments, arguments.operands());
        try (Workspace workspace = Workspace.open(arguments, console)) {
            Checked checked = check(sources, workspace, console);
            List<Finding> findings = checked.findings();
            boolean quiet = arguments.has("quiet");
            findings.stream()
                    .filter(finding -> !quiet || finding.severity() != Finding.Severity.NOTE)
                    .forEach(console.out()::println);
            long errors = count(findings, Finding.Severity.ERROR);
            long warnings = count(findings, Finding.Severity.WARNING);
            console.out()
                    .println(Words.count(errors, "error") + ", " + Words.count(warnings, "warning") + ", "
                            + Words.count(count(findings, Finding.Severity.NOTE), "note"));
            return errors > 0 || (arguments.has("strict") && warnings > 0) || !checked.isWhole() ? FOUND : FINE;
        }
    }

    /**
     * What was found.
     *
     * @param isWhole whether no statement was left out because its table is not there
     */
    private record Checked(List<Finding> findings, boolean isWhole) {}

    private static Checked check(List<SourceText> sources, Workspace workspace, Console console) {
        try (ProgressLine progress = ProgressLine.of(console, "Comparing views")) {
            LoadedPolicy loaded = workspace.load(sources);
            int all = loaded.policy().views().size();
            var redundancy = new ChaseRedundancy(loaded.policy());
            var done = new int[1];
            List<Finding> findings = PolicyLint.check(loaded, workspace.tables(), new PolicyLint.Redundancy() {
                @Override
                public boolean isCovered(View view, List<View> others) {
                    progress.at(done[0]++, all);
                    return redundancy.isCovered(view, others);
                }

                @Override
                public boolean isOfTheSchema(Inclusion assertion) {
                    return redundancy.isOfTheSchema(assertion);
                }
            });
            return new Checked(findings, loaded.missingTables().isEmpty());
        } catch (InvalidPolicyException invalid) {
            return new Checked(invalid.findings(), true);
        }
    }

    private static long count(List<Finding> findings, Finding.Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
