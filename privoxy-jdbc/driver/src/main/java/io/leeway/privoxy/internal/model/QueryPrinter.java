package io.leeway.privoxy.internal.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes queries as text that reads like SQL: {@code SELECT a.title FROM public.events a WHERE a.id = ?0}. Rows of FROM
 * are a, b, c …; columns have their names if the schema knows the table, otherwise {@code #0}, {@code #1} …. The text
 * shows the constants of the query, so it is not for logs.
 */
public final class QueryPrinter {

    private final Schema schema;

    /** Prints with the names of this schema. */
    public QueryPrinter(Schema schema) {
        this.schema = schema;
    }

    /** One line for each disjunct, joined by UNION; an empty union is {@code NOTHING}. */
    public String print(UnionQuery query) {
        return print(query, List.of());
    }

    /**
     * An obligation, with its arguments in the place of its parameters: {@code $0} is slot 0, {@code each($0, $1)} one
     * after the other.
     */
    public String print(Obligation obligation) {
        return print(obligation.query(), obligation.arguments());
    }

    /** A recorded fact, as {@link #print(Obligation)}; the result column of each head term follows in brackets. */
    public String print(Recording.Part part) {
        String guard = part.guard() < 0 ? "" : " guard " + part.guard();
        return print(part.query(), part.arguments()) + " " + part.resultColumns() + guard;
    }

    private String print(UnionQuery query, List<Slot> arguments) {
        if (query.disjuncts().isEmpty()) {
            return "NOTHING";
        }
        return query.disjuncts().stream()
                .map(disjunct -> print(disjunct, arguments))
                .collect(Collectors.joining(" UNION "));
    }

    private String print(ConjunctiveQuery query, List<Slot> arguments) {
        var writer = new Writer(query, arguments);
        var text = new StringBuilder("SELECT ").append(list(writer.terms(query.head())));
        if (!query.atoms().isEmpty()) {
            text.append(" FROM ").append(list(writer.atoms()));
        }
        if (!query.conditions().isEmpty()) {
            text.append(" WHERE ");
            text.append(query.conditions().stream()
                    .map(condition -> condition.sql(writer::term))
                    .collect(Collectors.joining(" AND ")));
        }
        return text.toString();
    }

    private static String list(List<String> parts) {
        return parts.isEmpty() ? "()" : String.join(", ", parts);
    }

    /** Knows the names of one conjunctive query's rows. */
    private final class Writer {

        private final ConjunctiveQuery query;
        private final List<Slot> arguments;

        Writer(ConjunctiveQuery query, List<Slot> arguments) {
            this.query = query;
            this.arguments = arguments;
        }

        List<String> atoms() {
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < query.atoms().size(); i++) {
                texts.add(query.atoms().get(i).table() + " " + alias(i));
            }
            return texts;
        }

        List<String> terms(List<Term> terms) {
            return terms.stream().map(this::term).toList();
        }

        String term(Term term) {
            if (term instanceof Term.Variable variable) {
                return column(variable.index());
            }
            if (term instanceof Term.Constant constant) {
                return constant.value().toString();
            }
            if (term instanceof Term.Parameter parameter) {
                return argument(parameter.index());
            }
            if (term instanceof Term.Context context) {
                return "?" + context.name();
            }
            var function = (Term.Function) term;
            return function.symbol() + "(" + String.join(", ", terms(function.arguments())) + ")";
        }

        private String column(int variable) {
            for (int i = 0; i < query.atoms().size(); i++) {
                Atom atom = query.atoms().get(i);
                int column = variable - atom.firstVariable();
                if (column >= 0 && column < atom.arity()) {
                    return alias(i) + "." + columnName(atom, column);
                }
            }
            return "?unbound" + variable;
        }

        private String columnName(Atom atom, int column) {
            Table table = schema.table(atom.table());
            return table == null ? "#" + column : table.columns().get(column).name();
        }

        private String argument(int index) {
            return index < arguments.size() ? slot(arguments.get(index)) : "?" + index;
        }
    }

    private static String slot(Slot slot) {
        if (slot instanceof Slot.One one) {
            return "$" + one.slot();
        }
        if (slot instanceof Slot.Elements elements) {
            return "elements($" + elements.slot() + ")";
        }
        if (slot instanceof Slot.Each each) {
            return each.slots().stream().map(number -> "$" + number).collect(Collectors.joining(", ", "each(", ")"));
        }
        return ((Slot.Literals) slot)
                .values().stream().map(Value::toString).collect(Collectors.joining(", ", "each(", ")"));
    }

    /** a … z, then a1, b1 …. */
    private static String alias(int index) {
        String letter = String.valueOf((char) ('a' + index % 26));
        return index < 26 ? letter : letter + index / 26;
    }
}
