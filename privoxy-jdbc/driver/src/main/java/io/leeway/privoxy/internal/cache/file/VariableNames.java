package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.cache.Pattern;
import io.leeway.privoxy.internal.cache.Premise;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names for a template's variables: a parameter of the context lends its own, other variables are called after the
 * first column that they are compared with or stand in.
 *
 * <p>For reviewers: {@code AUTHOR_ID} says what a number does not. Names carry no meaning when a file is read.
 */
final class VariableNames {

    private static final String NAMELESS = "VALUE";

    private final Template template;
    private final QueryText queries;
    private final @Nullable String[] names;
    private final Set<String> taken = new HashSet<>(List.of("NULL", "TRUE", "FALSE"));

    VariableNames(Template template, QueryText queries) {
        this.template = template;
        this.queries = queries;
        this.names = new String[template.variables()];
        template.context().keySet().forEach(name -> taken.add(name.toUpperCase(Locale.ROOT)));
        nameContext();
        for (ConjunctiveQuery disjunct : template.goal().disjuncts()) {
            nameArguments(template.arguments(), disjunct);
        }
        for (Premise premise : template.premises()) {
            nameArguments(premise.arguments(), premise.query());
            nameCells(premise);
        }
        nameRest();
    }

    String name(int variable) {
        String name = names[variable];
        return name == null ? NAMELESS : name;
    }

    private void nameContext() {
        template.context().forEach((name, pattern) -> {
            // A parameter whose name reads as a value is called otherwise.
            if (pattern instanceof Pattern.Variable variable
                    && names[variable.index()] == null
                    && Literals.ofWord(name) == null) {
                names[variable.index()] = name;
            }
        });
    }

    private void nameArguments(List<Pattern> patterns, ConjunctiveQuery query) {
        for (int i = 0; i < patterns.size(); i++) {
            if (isNameless(patterns.get(i))) {
                Term.Variable column = columnOf(new Term.Parameter(i), query);
                if (column != null) {
                    name(patterns.get(i), queries.columnName(column, query));
                }
            }
        }
    }

    private static Term.@Nullable Variable columnOf(Term.Parameter parameter, ConjunctiveQuery query) {
        for (Condition condition : query.conditions()) {
            if (condition instanceof Condition.Comparison comparison) {
                if (mentions(comparison.left(), parameter)) {
                    return column(comparison.right());
                }
                if (mentions(comparison.right(), parameter)) {
                    return column(comparison.left());
                }
            } else if (condition instanceof Condition.OneOf oneOf
                    && oneOf.options().stream().anyMatch(option -> mentions(option, parameter))) {
                return column(oneOf.term());
            }
        }
        return null;
    }

    private static boolean mentions(Term term, Term.Parameter parameter) {
        return term.equals(parameter)
                || (term instanceof Term.Function function
                        && function.arguments().stream().anyMatch(argument -> mentions(argument, parameter)));
    }

    private static Term.@Nullable Variable column(Term term) {
        if (term instanceof Term.Variable variable) {
            return variable;
        }
        return term instanceof Term.Function function && !function.arguments().isEmpty()
                ? column(function.arguments().get(0))
                : null;
    }

    private void nameCells(Premise premise) {
        for (int i = 0; i < premise.row().size(); i++) {
            Term.Variable column = column(premise.query().head().get(i));
            if (isNameless(premise.row().get(i)) && column != null) {
                name(premise.row().get(i), queries.columnName(column, premise.query()));
            }
        }
    }

    private void nameRest() {
        for (int i = 0; i < names.length; i++) {
            if (names[i] == null) {
                names[i] = free(NAMELESS);
            }
        }
    }

    private boolean isNameless(Pattern pattern) {
        return pattern instanceof Pattern.Variable variable && names[variable.index()] == null;
    }

    private void name(Pattern pattern, String column) {
        StringBuilder name = new StringBuilder();
        for (char c : column.toUpperCase(Locale.ROOT).toCharArray()) {
            name.append((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_');
        }
        // A column's name may begin with a digit, or have no letter of ASCII.
        boolean isName = Quoting.isPlain(name.toString());
        names[((Pattern.Variable) pattern).index()] = free(isName ? name.toString() : NAMELESS);
    }

    /** Two variables with one name would be read back as one. */
    private String free(String wanted) {
        String name = wanted;
        for (int number = 2; !taken.add(name); number++) {
            name = wanted + "_" + number;
        }
        return name;
    }
}
