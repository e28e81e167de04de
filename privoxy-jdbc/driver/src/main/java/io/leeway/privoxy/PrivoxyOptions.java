package io.leeway.privoxy;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Every option, once. Options are given in the URL or in the connection's properties under their keys, and taken out
 * before the real driver sees them. The keys are API.
 *
 * @since 0.1
 */
public final class PrivoxyOptions {

    /** The prefix of context parameters in URL and properties: {@code privoxy.MyUId=2}. */
    public static final String CONTEXT_PREFIX = "privoxy.";

    /** The prefix of the options' keys. */
    public static final String KEY_PREFIX = "privoxy";

    public static final PrivoxyOption<List<String>> POLICY = PrivoxyOption.list(
            "privoxyPolicy", "Policy files: paths, file: URLs or classpath: names. Needed unless privoxyMode is off.");

    public static final PrivoxyOption<PrivoxyMode> MODE = PrivoxyOption.choice(
            "privoxyMode",
            PrivoxyMode.class,
            PrivoxyMode.ENFORCE,
            "What happens to a query that is not compliant: refused, logged, or not looked at.");

    public static final PrivoxyOption<Map<String, PrivoxyMode>> TABLES = PrivoxyOption.choices(
            "privoxyTables", PrivoxyMode.class, "Tables with a mode of their own, as posts:audit,logs:off.");

    public static final PrivoxyOption<Writes> WRITES = PrivoxyOption.choice(
            "privoxyWrites",
            Writes.class,
            Writes.CHECK,
            "Writes: check what they read and let them pass, or refuse them all.");

    public static final PrivoxyOption<Order> ORDER = PrivoxyOption.choice(
            "privoxyOrder",
            Order.class,
            Order.DETERMINED,
            "Rows in no order of the query's own: sorted by what is shown, or left as the database finds them.");

    public static final PrivoxyOption<List<String>> FUNCTIONS = PrivoxyOption.list(
            "privoxyFunctions", "Functions and procedures that may be called although nothing is known of them.");

    public static final PrivoxyOption<List<String>> UNWRAP = PrivoxyOption.list(
            "privoxyUnwrap",
            "Interfaces of the database's driver to which unwrap may lead, as org.postgresql.PGConnection.");

    public static final PrivoxyOption<String> TEMPLATES =
            PrivoxyOption.text("privoxyTemplates", "", "File of decision templates to start from; empty is none.");

    public static final PrivoxyOption<TemplateUse> TEMPLATE_USE = PrivoxyOption.choice(
            "privoxyTemplateUse",
            TemplateUse.class,
            TemplateUse.LEARN,
            "Learn new templates, use reviewed ones only, or decide every query anew.");

    public static final PrivoxyOption<Integer> TEMPLATE_LIMIT = PrivoxyOption.number(
            "privoxyTemplateLimit", 10_000, 0, 10_000_000, "Templates kept in memory; the least used are dropped.");

    public static final PrivoxyOption<String> TEMPLATE_KEY = PrivoxyOption.text(
            "privoxyTemplateKey", "", "File with the public key that reviewed templates are signed with.");

    public static final PrivoxyOption<Duration> RELOAD = PrivoxyOption.duration(
            "privoxyReload", "0s", "How often the policy files are looked at for changes; 0s is never.");

    public static final PrivoxyOption<Solver> SOLVER = PrivoxyOption.choice(
            "privoxySolver",
            Solver.class,
            Solver.AUTO,
            "Solvers for what the chase leaves open: used if their artifact is there, or never.");

    public static final PrivoxyOption<Integer> EFFORT = PrivoxyOption.number(
            "privoxyEffort",
            100_000,
            100,
            Integer.MAX_VALUE,
            "Steps that one decision may take before it is given up as undecided.");

    public static final PrivoxyOption<Explain> EXPLAIN = PrivoxyOption.choice(
            "privoxyExplain",
            Explain.class,
            Explain.VIEWS,
            "What a refusal says: the reason, also the nearest views, also a counterexample.");

    public static final PrivoxyOption<Boolean> VALUES =
            PrivoxyOption.flag("privoxyValues", false, "Whether refusals may show data values; for development only.");

    public static final PrivoxyOption<String> RECORD = PrivoxyOption.text(
            "privoxyRecord",
            "",
            "File that every decision is appended to, for privoxy check and report; empty is none.");

    public static final PrivoxyOption<Integer> TRACE_ENTRIES = PrivoxyOption.number(
            "privoxyTraceEntries", 1_000, 0, 1_000_000, "Results remembered in one request; the oldest are forgotten.");

    public static final PrivoxyOption<Integer> TRACE_ROWS =
            PrivoxyOption.number("privoxyTraceRows", 1_000, 0, 10_000_000, "Rows remembered of one result.");

    public static final PrivoxyOption<Integer> TRACE_CELLS =
            PrivoxyOption.number("privoxyTraceCells", 200_000, 0, 100_000_000, "Values remembered in one request.");

    public static final PrivoxyOption<Metrics> METRICS = PrivoxyOption.choice(
            "privoxyMetrics",
            Metrics.class,
            Metrics.AUTO,
            "Metrics to Micrometer's global registry if it is on the class path, or none.");

    public static final PrivoxyOption<String> DELEGATE_DRIVER =
            PrivoxyOption.text("privoxyDelegateDriver", "", "Class of the real driver; empty finds it by the URL.");

    private static final List<PrivoxyOption<?>> ALL = List.of(
            POLICY,
            MODE,
            TABLES,
            WRITES,
            ORDER,
            FUNCTIONS,
            UNWRAP,
            TEMPLATES,
            TEMPLATE_USE,
            TEMPLATE_LIMIT,
            TEMPLATE_KEY,
            RELOAD,
            SOLVER,
            EFFORT,
            EXPLAIN,
            VALUES,
            RECORD,
            TRACE_ENTRIES,
            TRACE_ROWS,
            TRACE_CELLS,
            METRICS,
            DELEGATE_DRIVER);

    private PrivoxyOptions() {}

    /** All options, in the order of the documentation. */
    public static List<PrivoxyOption<?>> all() {
        return ALL;
    }

    /** What is done with writes. */
    public enum Writes {
        /** What they read must be compliant; then they pass. */
        CHECK,
        /** They are refused. */
        REFUSE
    }

    /** In which order rows come where a query does not say. */
    public enum Order {
        /** Sorted, where the database's own order may tell what is not shown. */
        DETERMINED,
        /** In the database's own. */
        ANY
    }

    /** Where decisions come from. */
    public enum TemplateUse {
        /** From templates, and new decisions make new templates. */
        LEARN,
        /** From reviewed templates only. */
        REVIEWED,
        /** From no template: every query is decided anew. */
        NONE
    }

    /** Whether solvers are asked. */
    public enum Solver {
        /** If they are on the class path. */
        AUTO,
        /** Never. */
        OFF
    }

    /** How much a refusal says. */
    public enum Explain {
        /** The reason. */
        BRIEF,
        /** Also the nearest views and what they lack. */
        VIEWS,
        /** Also two small databases that show the difference. */
        COUNTEREXAMPLE
    }

    /** Where metrics go. */
    public enum Metrics {
        /** To Micrometer, if it is there, and to trackers found as services. */
        AUTO,
        /** Nowhere. */
        NONE
    }
}
