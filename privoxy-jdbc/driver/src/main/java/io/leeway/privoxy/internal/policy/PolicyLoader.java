package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.console.DidYouMean;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes a policy of its files. Not thread-safe; used once.
 *
 * <p>Faults are collected, and one of them makes the whole policy unusable: half a policy would refuse what it should
 * show, or believe an assertion without the view that it was written for.
 */
public final class PolicyLoader {

    /**
     * Coarse on purpose: a word too many only refuses the change of a schema that adds a column of that name, a word
     * too few would let a condition of the policy come to mean another column.
     */
    private static final Pattern CONDITION = Pattern.compile("\\b(where|on|using|natural)\\b");

    private static final Pattern WORD = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*");
    private static final UnionQuery EMPTY = new UnionQuery(List.of());

    private final ViewCompiler compiler;
    private final TableSource tables;
    private final boolean whatFits;
    private final Set<List<String>> missingTables = new LinkedHashSet<>();
    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, ColumnType> context = new LinkedHashMap<>();
    private final Map<String, Position> positions = new HashMap<>();
    private final Map<String, Position> namesTaken = new HashMap<>();
    private final Set<String> parametersUsed = new LinkedHashSet<>();
    private final Set<String> tablesUsed = new LinkedHashSet<>();
    private final List<View> views = new ArrayList<>();
    private final List<Inclusion> inclusions = new ArrayList<>();
    private boolean asksSession;
    private boolean asksSettings;

    private PolicyLoader(ViewCompiler compiler, TableSource tables, boolean whatFits) {
        this.compiler = compiler;
        this.tables = tables;
        this.whatFits = whatFits;
    }

    /**
     * Reads and compiles a policy. Views and assertions of tables that do not exist (yet) are left out, with a warning:
     * a view then shows nothing, and of an assertion no use is made.
     *
     * @throws InvalidPolicyException with all errors
     */
    public static LoadedPolicy load(List<SourceText> sources, ViewCompiler compiler, TableSource tables)
            throws InvalidPolicyException {
        return new PolicyLoader(compiler, tables, false).load(sources);
    }

    /**
     * The same for a policy that could be used before the schema changed: also left out is what does not fit the schema
     * any more.
     *
     * <p>Otherwise a migration that drops a column would stop the application, whose policy was right a moment ago.
     * What is left out shows nothing.
     */
    public static LoadedPolicy loadWhatFits(List<SourceText> sources, ViewCompiler compiler, TableSource tables)
            throws InvalidPolicyException {
        return new PolicyLoader(compiler, tables, true).load(sources);
    }

    private LoadedPolicy load(List<SourceText> sources) throws InvalidPolicyException {
        var statements = new ArrayList<PolicyStatement>();
        for (SourceText source : sources) {
            statements.addAll(PolicyParser.parse(source, findings));
        }
        // All names first, as a parameter may be declared in a later file.
        statements.forEach(this::declare);
        // One query of the catalogue for all tables instead of one for each.
        compiler.lookAhead(queries(statements));
        statements.forEach(this::compile);
        reportUnused();
        reportEmpty(statements, sources);
        // Only now, so that all errors of all files are told at once.
        if (findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.ERROR)) {
            throw new InvalidPolicyException(findings);
        }
        var policy = new Policy(schema(), context, views, inclusions);
        findings.sort(Finding.BY_POSITION);
        return new LoadedPolicy(
                policy,
                PolicyHash.of(statements),
                positions,
                findings,
                missingTables,
                compared(sources),
                asksSession,
                asksSettings);
    }

    /** A policy that shows nothing is valid, and seldom meant. */
    private void reportEmpty(List<PolicyStatement> statements, List<SourceText> sources) {
        if (statements.stream().noneMatch(PolicyStatement.View.class::isInstance)
                && findings.stream().noneMatch(finding -> finding.severity() == Finding.Severity.ERROR)) {
            Position first = sources.isEmpty()
                    ? new Position("policy", 1, 1)
                    : sources.get(0).position(0);
            findings.add(Finding.warning(
                    first,
                    "the policy has no view, so every query of a table is refused",
                    "Write CREATE VIEW name AS SELECT …, or check the location of the files."));
        }
    }

    /** Only to read ahead; what is wrong with them is told when they are compiled. */
    private static List<String> queries(List<PolicyStatement> statements) {
        var queries = new ArrayList<String>();
        for (PolicyStatement statement : statements) {
            if (statement instanceof PolicyStatement.View view) {
                queries.add(view.query().sql());
            } else if (statement instanceof PolicyStatement.Assertion assertion) {
                queries.add(assertion.left().sql());
                if (assertion.right() != null) {
                    queries.add(assertion.right().sql());
                }
            }
        }
        return queries;
    }

    private void declare(PolicyStatement statement) {
        if (statement instanceof PolicyStatement.Context declaration) {
            declaration.parameters().forEach(this::declare);
        } else if (statement instanceof PolicyStatement.View view) {
            take(view.name(), view.position());
        } else if (statement instanceof PolicyStatement.Assertion assertion) {
            take(assertion.name(), assertion.position());
        }
    }

    private void declare(PolicyStatement.Parameter parameter) {
        take('?' + parameter.name(), parameter.position());
        ColumnType type = ContextTypes.of(parameter.type());
        if (type == null) {
            String message = "a context parameter cannot be a " + parameter.type();
            findings.add(Finding.error(parameter.position(), message, ContextTypes.EXAMPLES));
        } else {
            // The first declaration stands, and the second is an error: others go on being checked against it.
            context.putIfAbsent(parameter.name(), type);
        }
    }

    private void take(String name, Position position) {
        // Names that differ only in case would be hard to tell apart in messages.
        Position earlier = namesTaken.putIfAbsent(name.toLowerCase(Locale.ROOT), position);
        if (earlier == null) {
            positions.put(name, position);
        } else {
            findings.add(Finding.error(
                    position, "the name " + name + " is already used at " + earlier, "Give it a name of its own."));
        }
    }

    private void compile(PolicyStatement statement) {
        if (statement instanceof PolicyStatement.View view) {
            view(view);
        } else if (statement instanceof PolicyStatement.Assertion assertion) {
            assertion(assertion);
        }
    }

    private void view(PolicyStatement.View view) {
        ViewCompiler.Compiled compiled = compile(view.query());
        if (compiled == null) {
            return;
        }
        if (!view.columns().isEmpty()
                && view.columns().size() != compiled.columns().size()) {
            findings.add(Finding.error(
                    view.position(),
                    "the view names " + view.columns().size() + " columns, its query returns "
                            + compiled.columns().size(),
                    "Name as many columns as the query returns, or none."));
            return;
        }
        // No error, as it shows too little and not too much.
        if (compiled.query().disjuncts().isEmpty()) {
            findings.add(Finding.warning(
                    view.position(),
                    "the view " + view.name() + " reveals nothing: its condition is never true",
                    "Correct the condition or remove the view."));
        }
        List<String> columns = view.columns().isEmpty() ? compiled.columns() : view.columns();
        String origin = view.position().toString();
        views.add(new View(view.name(), view.description(), compiled.query(), columns, origin));
    }

    private void assertion(PolicyStatement.Assertion assertion) {
        ViewCompiler.Compiled left = compile(assertion.left());
        Body rightBody = assertion.right();
        ViewCompiler.Compiled right = rightBody == null ? null : compile(rightBody);
        // With its right side missing an assertion would read as IS EMPTY, which says that no row is there.
        if (left == null || (rightBody != null && right == null)) {
            return;
        }
        if (right != null && left.columns().size() != right.columns().size()) {
            findings.add(Finding.error(
                    assertion.position(),
                    "the queries of " + assertion.name() + " return "
                            + left.columns().size() + " and " + right.columns().size() + " columns",
                    "Let both queries return the same columns."));
            return;
        }
        UnionQuery bound = right == null ? EMPTY : right.query();
        inclusions.add(new Inclusion(
                assertion.name(), left.query(), bound, assertion.position().toString()));
    }

    private ViewCompiler.@Nullable Compiled compile(Body body) {
        if (!parametersAreDeclared(body)) {
            return null;
        }
        try {
            ViewCompiler.Compiled compiled = compiler.compile(body.sql(), Map.copyOf(context));
            tablesUsed.addAll(compiled.tables());
            asksSession |= compiled.asksSession();
            asksSettings |= compiled.asksSettings();
            return compiled;
        } catch (UnsupportedSqlException e) {
            Finding finding = Diagnosis.of(e, body, tables);
            if (!e.missingTable().isEmpty()) {
                missingTables.add(e.missingTable());
            }
            // A missing table may come with the next migration; anything else wrong is the author's mistake, unless
            // the policy was in force before.
            findings.add(whatFits || !e.missingTable().isEmpty() ? Diagnosis.leftOut(finding) : finding);
            return null;
        }
    }

    private boolean parametersAreDeclared(Body body) {
        boolean all = true;
        for (Token token : Token.of(body.sql(), 0, body.sql().length())) {
            if (token.kind() == Token.Kind.PARAMETER) {
                parametersUsed.add(token.text());
                if (!positions.containsKey('?' + token.text())) {
                    all = false;
                    findings.add(Finding.error(
                            body.position(token.start()),
                            "the context parameter ?" + token.text() + " is not declared"
                                    // Case counts in their names, which is easily missed.
                                    + DidYouMean.hint(token.text(), context.keySet()),
                            "Declare it: CREATE CONTEXT " + token.text() + " BIGINT;"));
                }
            }
        }
        // A declared parameter whose type cannot be used has been reported where it is declared.
        return all && context.keySet().containsAll(parametersOf(body));
    }

    private static List<String> parametersOf(Body body) {
        return Token.of(body.sql(), 0, body.sql().length()).stream()
                .filter(token -> token.kind() == Token.Kind.PARAMETER)
                .map(Token::text)
                .toList();
    }

    /** The words behind each statement's first WHERE or ON. */
    private static Set<String> compared(List<SourceText> sources) {
        var words = new LinkedHashSet<String>();
        for (SourceText source : sources) {
            // Of the raw text, so that statements that were left out count, too: the column that they ask for must
            // not be made up by somebody.
            for (String statement : source.text().toLowerCase(Locale.ROOT).split(";")) {
                Matcher condition = CONDITION.matcher(statement);
                if (condition.find()) {
                    WORD.matcher(statement.substring(condition.start()))
                            .results()
                            .forEach(word -> words.add(word.group()));
                }
            }
        }
        return words;
    }

    /** Most likely a misspelt parameter in a view, which would then show nothing. */
    private void reportUnused() {
        for (String name : context.keySet()) {
            if (!parametersUsed.contains(name)) {
                Position position = positions.get('?' + name);
                if (position != null) {
                    String message = "the context parameter ?" + name + " is not used";
                    findings.add(Finding.warning(position, message, "Remove it, or use it in a view."));
                }
            }
        }
    }

    /**
     * The tables that the policy mentions; not all that happen to be known.
     *
     * <p>The proof's schema grows with what queries name; what the policy names is its fixed part and goes into the
     * fingerprint of templates.
     */
    private Schema schema() {
        var used = new LinkedHashMap<String, Table>();
        tables.schema().tables().forEach((name, table) -> {
            if (tablesUsed.contains(name)) {
                used.put(name, table);
            }
        });
        return new Schema(used);
    }
}
