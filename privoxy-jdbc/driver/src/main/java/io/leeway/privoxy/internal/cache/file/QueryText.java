package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Queries as text. Rows of FROM are named by the first letter of their table and their number.
 *
 * <p>Names of the schema stand in it, so a file shows at review what a template is about; without the schema columns
 * would be numbers.
 */
final class QueryText {

    private final Schema schema;

    QueryText(Schema schema) {
        this.schema = schema;
    }

    void print(Layout layout, int indent, UnionQuery query) {
        if (query.disjuncts().isEmpty()) {
            layout.line(indent, "NOTHING");
        }
        for (int i = 0; i < query.disjuncts().size(); i++) {
            if (i > 0) {
                layout.line(indent, "UNION");
            }
            print(layout, indent, query.disjuncts().get(i));
        }
    }

    void print(Layout layout, int indent, ConjunctiveQuery query) {
        layout.list(indent, "SELECT", query.head().isEmpty() ? List.of("()") : terms(query.head(), query), ",");
        if (!query.atoms().isEmpty()) {
            List<String> tables = new ArrayList<>();
            for (int i = 0; i < query.atoms().size(); i++) {
                tables.add(tableName(query.atoms().get(i).table()) + " " + alias(query, i));
            }
            layout.list(indent, "FROM", tables, ",");
        }
        if (!query.conditions().isEmpty()) {
            List<String> conditions = query.conditions().stream()
                    .map(condition -> condition.sql(term -> term(term, query)))
                    .toList();
            layout.list(indent, "WHERE", conditions, " AND");
        }
    }

    private List<String> terms(List<Term> terms, ConjunctiveQuery query) {
        return terms.stream().map(term -> term(term, query)).toList();
    }

    String term(Term term, ConjunctiveQuery query) {
        if (term instanceof Term.Variable variable) {
            return column(variable, query);
        }
        if (term instanceof Term.Constant constant) {
            return value(constant.value());
        }
        if (term instanceof Term.Parameter parameter) {
            return "?" + (parameter.index() + 1);
        }
        if (term instanceof Term.Context context) {
            return "?" + Quoting.name(context.name());
        }
        Term.Function function = (Term.Function) term;
        return "fn" + Quoting.quoted(function.symbol(), '"') + "("
                + String.join(", ", terms(function.arguments(), query)) + ")";
    }

    static String value(Value value) {
        String text = Literals.print(value);
        if (text == null) {
            // The template as a whole has no text then: with a value left out it would be another one.
            throw new UnprintableException();
        }
        return text;
    }

    private String column(Term.Variable variable, ConjunctiveQuery query) {
        int atom = 0;
        while (variable.index()
                >= query.atoms().get(atom).firstVariable()
                        + query.atoms().get(atom).arity()) {
            atom++;
        }
        return alias(query, atom) + "." + Quoting.name(columnName(variable, query));
    }

    /** The column's own name. */
    String columnName(Term.Variable variable, ConjunctiveQuery query) {
        for (Atom atom : query.atoms()) {
            int column = variable.index() - atom.firstVariable();
            if (column < atom.arity()) {
                Table table = schema.table(atom.table());
                // The table has changed since the template was made.
                if (table == null || column >= table.arity()) {
                    throw new UnprintableException();
                }
                return table.columns().get(column).name();
            }
        }
        throw new UnprintableException();
    }

    /** With the number, as a table may stand in FROM twice. */
    private static String alias(ConjunctiveQuery query, int atom) {
        String table = query.atoms().get(atom).table();
        String last = table.substring(table.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        char first = last.isEmpty() ? 't' : last.charAt(0);
        return (first >= 'a' && first <= 'z' ? first : 't') + Integer.toString(atom);
    }

    /** Plain parts are joined by dots; any other name is quoted as a whole. */
    private static String tableName(String name) {
        for (String part : name.split("\\.", -1)) {
            if (!Quoting.isPlain(part)) {
                return Quoting.quoted(name, '"');
            }
        }
        return name;
    }
}
