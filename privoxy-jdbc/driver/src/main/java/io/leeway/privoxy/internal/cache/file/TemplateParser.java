package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.cache.Pattern;
import io.leeway.privoxy.internal.cache.PatternComparison;
import io.leeway.privoxy.internal.cache.Premise;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.cache.file.Token.Kind;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads one template. Not thread-safe.
 *
 * <p>What it makes is canonical, so a template that was typed in another order is the same one.
 */
final class TemplateParser {

    private final TokenCursor cursor;
    private final QueryParser queries;
    private final Map<String, Integer> variables = new HashMap<>();
    private final Map<String, Pattern> context = new TreeMap<>();
    private final List<Premise> premises = new ArrayList<>();
    private final List<Integer> notNull = new ArrayList<>();
    private final List<PatternComparison> comparisons = new ArrayList<>();
    private final List<Review> reviews = new ArrayList<>();

    /**
     * What was read.
     *
     * @param id that the file gives it, or empty
     * @param template null if it does not fit the schema
     * @param fault why not
     */
    record Parsed(String id, @Nullable ReviewedTemplate template, String fault, int line) {}

    TemplateParser(TokenCursor cursor, TableLookup tables) {
        this.cursor = cursor;
        this.queries = new QueryParser(cursor, tables);
    }

    Parsed parse() throws TemplateSyntaxException {
        int line = cursor.peek().line();
        cursor.expectWords("template");
        String id = cursor.peek().kind() == Kind.HASH ? cursor.take().text() : "";
        if (cursor.takeWords("for", "a", "request", "with")) {
            context();
        }
        while (cursor.takeWords("when", "an", "earlier", "query")) {
            premise();
        }
        if (cursor.takeWords("provided", "that")) {
            demands();
        }
        cursor.expectWords("then", "allow");
        UnionQuery goal = queries.union();
        List<Pattern> arguments = arguments();
        while (cursor.takeWords("reviewed", "by")) {
            review();
        }
        String fault = queries.takeFault();
        if (fault == null) {
            fault = missing(goal, arguments);
        }
        return fault != null ? new Parsed(id, null, fault, line) : finished(id, goal, arguments, line);
    }

    /**
     * What the queries mention but the template does not give, or null.
     *
     * <p>Otherwise matching would ask for values that no request has, and the proof would be about a parameter that is
     * nobody's.
     */
    private @Nullable String missing(UnionQuery goal, List<Pattern> arguments) {
        Set<String> named = Mentions.contextNames(goal);
        boolean given =
                goal.disjuncts().stream().allMatch(disjunct -> Mentions.parameters(disjunct) <= arguments.size());
        for (Premise premise : premises) {
            named.addAll(Mentions.contextNames(premise.query()));
            given &= Mentions.parameters(premise.query()) <= premise.arguments().size();
        }
        if (!given) {
            return "a query has more parameters than it is asked with";
        }
        return context.keySet().containsAll(named)
                ? null
                : "a query mentions a parameter of the context that the request is not said to have";
    }

    private Parsed finished(String id, UnionQuery goal, List<Pattern> arguments, int line) {
        try {
            Template template = Template.canonical(goal, arguments, context, premises, notNull, comparisons);
            return new Parsed(id, new ReviewedTemplate(template, reviews, line), "", line);
            // A demand on a variable that stands nowhere would be fulfilled by every request.
        } catch (IllegalArgumentException demandOfNothing) {
            return new Parsed(id, null, String.valueOf(demandOfNothing.getMessage()), line);
        }
    }

    private void context() throws TemplateSyntaxException {
        do {
            String name = cursor.name("a parameter of the context");
            // A name without a value stands for itself: the variable is called like the parameter.
            Pattern pattern = cursor.takeSymbol("=") ? pattern() : variable(name);
            if (context.put(name, pattern) != null) {
                throw cursor.error("the parameter " + name + " stands here twice");
            }
        } while (cursor.takeSymbol(","));
    }

    private void premise() throws TemplateSyntaxException {
        ConjunctiveQuery query = queries.query();
        List<Pattern> arguments = arguments();
        cursor.expectWords("returned", "a", "row");
        // Cells that are not named may be anything.
        List<Pattern> row = new ArrayList<>(Collections.nCopies(query.head().size(), Pattern.ANY));
        if (cursor.takeWords("with")) {
            do {
                int column = cell(query);
                cursor.expectSymbol("=");
                Pattern pattern = pattern();
                if (column >= 0) {
                    row.set(column, pattern);
                }
            } while (cursor.takeSymbol(","));
        }
        premises.add(new Premise(query, arguments, row));
    }

    /** Position of the cell, or -1 if it is not known for want of a table. */
    private int cell(ConjunctiveQuery query) throws TemplateSyntaxException {
        int column;
        if (cursor.peek().isWord("column") && cursor.peekSecond().kind() == Kind.NUMBER) {
            cursor.take();
            column = QueryParser.number(cursor.take()) - 1;
        } else {
            Term.Variable named = queries.columnOfLastQuery();
            column = query.head().indexOf(named);
        }
        if (queries.hasFault()) {
            return -1;
        }
        if (column < 0 || column >= query.head().size()) {
            throw cursor.error("the query does not return this column");
        }
        return column;
    }

    private List<Pattern> arguments() throws TemplateSyntaxException {
        List<Pattern> arguments = new ArrayList<>();
        if (cursor.takeWords("asked", "with")) {
            do {
                Token token = cursor.take(Kind.PARAMETER, "a parameter");
                // In order, so that none can be left out unseen.
                if (!token.text().equals(Integer.toString(arguments.size() + 1))) {
                    throw new TemplateSyntaxException(
                            token.line(), token.column(), "parameters are given in order, ?1 first");
                }
                cursor.expectSymbol("=");
                arguments.add(pattern());
            } while (cursor.takeSymbol(","));
        }
        return arguments;
    }

    private void demands() throws TemplateSyntaxException {
        do {
            Pattern left = pattern();
            if (left instanceof Pattern.Variable variable && cursor.takeWords("is", "not", "null")) {
                notNull.add(variable.index());
            } else {
                comparison(left);
            }
        } while (cursor.takeWords("and"));
    }

    private void comparison(Pattern left) throws TemplateSyntaxException {
        Operator operator = queries.operator();
        try {
            comparisons.add(new PatternComparison(operator, left, pattern()));
        } catch (IllegalArgumentException noComparison) {
            throw cursor.error("a demand is <>, < or <= between variables and values");
        }
    }

    private Pattern pattern() throws TemplateSyntaxException {
        if (cursor.takeSymbol("*")) {
            return Pattern.ANY;
        }
        Value value = LiteralParser.take(cursor);
        return value != null ? new Pattern.Constant(value) : variable(cursor.name("a variable, a value or *"));
    }

    /** By name, in the order of their first use; names mean nothing beyond that. */
    private Pattern variable(String name) {
        return new Pattern.Variable(variables.computeIfAbsent(name, absent -> variables.size()));
    }

    private void review() throws TemplateSyntaxException {
        String by = cursor.take(Kind.QUOTED, "a name in quotes").text();
        cursor.expectWords("on");
        Token date = cursor.take(Kind.STRING, "a date as '2025-01-31'");
        try {
            reviews.add(new Review(by, LocalDate.parse(date.text())));
        } catch (DateTimeException noDate) {
            throw new TemplateSyntaxException(date.line(), date.column(), "not a date as '2025-01-31'");
        }
    }
}
