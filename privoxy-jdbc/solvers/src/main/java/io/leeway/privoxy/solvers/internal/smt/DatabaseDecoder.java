package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.decide.Witness;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.refute.CounterexampleCheck;
import io.leeway.privoxy.internal.refute.SmallDatabase;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads two databases from a model. An element of the model that is a known value's is that value; any other becomes a
 * value of its column's kind that occurs nowhere else. The result is a proposal: {@link CounterexampleCheck} decides.
 *
 * <p>Models are of one uninterpreted sort and of reals; what they call a value is a name. Whatever is read wrongly here
 * costs an example, as the check has the last word.
 */
final class DatabaseDecoder {

    private static final String TRUE = "true";

    private final DatabaseEncoder.Encoded encoded;
    private final Map<String, String> model;
    private final Map<String, Value> known = new HashMap<>();
    private final Map<String, BigDecimal> positions = new HashMap<>();
    private final Map<List<Object>, Value> chosen = new HashMap<>();
    private final FreshValues fresh;

    private DatabaseDecoder(DatabaseEncoder.Encoded encoded, Map<String, String> model) {
        this.encoded = encoded;
        this.model = model;
        encoded.vocabulary().values().forEach((value, name) -> known.put(element(name), value));
        encoded.observation().positions().forEach((position, name) -> {
            String element = model.get(position.term());
            BigDecimal number = number(model.getOrDefault(name, ""));
            if (element != null && number != null) {
                // By element, as two terms of one element have one position.
                positions.put(position.line() + " " + element, number);
            }
        });
        this.fresh = new FreshValues(known.values(), positions.values());
    }

    /** Two databases and the functions' meanings in them. */
    record Decoded(SmallDatabase first, SmallDatabase second, List<Witness.Meaning> meanings) {}

    /** The databases, or null if the model speaks of values that cannot be written. */
    static @Nullable Decoded decode(DatabaseEncoder.Encoded encoded, Map<String, String> model) {
        DatabaseDecoder decoder = new DatabaseDecoder(encoded, model);
        try {
            return new Decoded(
                    decoder.database(encoded.databases().get(0)),
                    decoder.database(encoded.databases().get(1)),
                    decoder.meanings());
            // A number that no column holds, a day that no calendar has.
        } catch (UnreadableModel | ArithmeticException | java.time.DateTimeException impossible) {
            return null;
        }
    }

    /** A set of rows: two symbolic rows that the model makes equal are one row. */
    private SmallDatabase database(SymbolicDatabase symbolic) {
        SortedMap<String, Set<List<Value>>> tables = new TreeMap<>();
        symbolic.rows().forEach((table, rows) -> {
            TableShape shape = encoded.scope().table(table);
            Set<List<Value>> content = new LinkedHashSet<>();
            for (SymbolicRow row : rows) {
                if (row.exists().equals(Logic.TRUE) || TRUE.equals(model.get(row.exists()))) {
                    content.add(row(shape, row));
                }
            }
            tables.put(table, content);
        });
        return new SmallDatabase(tables);
    }

    private List<Value> row(TableShape shape, SymbolicRow row) {
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < row.cells().size(); i++) {
            Column column = shape.column(i);
            String cell = row.cells().get(i);
            if (cell != null) {
                values.add(value(element(cell), column.type().kind()));
            } else {
                values.add(
                        // Nothing looks at the column, so any value will do that its type allows.
                        column.nullable()
                                ? Value.NULL
                                : FreshValues.any(column.type().kind()));
            }
        }
        return values;
    }

    private Value value(String element, ValueKind kind) {
        Value value = known.get(element);
        // The same element may stand for a number and for a text that are one to the formula; a column takes only
        // values of its kind.
        if (value != null && (value.isNull() || value.kind() == kind || kind == ValueKind.OPAQUE)) {
            return value;
        }
        // The same element is the same value wherever it stands.
        return chosen.computeIfAbsent(List.of(element, kind), key -> {
            BigDecimal position = positions.get(kind.name() + " " + element);
            return position == null ? fresh.next(kind) : FreshValues.at(kind, position);
        });
    }

    /** All applications that the script has seen, as the check evaluates functions by table. */
    private List<Witness.Meaning> meanings() {
        List<Witness.Meaning> meanings = new ArrayList<>();
        encoded.observation().applications().forEach((application, name) -> {
            List<Value> arguments = new ArrayList<>();
            for (String argument : application.arguments()) {
                arguments.add(value(element(argument), kindOf(argument)));
            }
            ValueKind kind = application.kind() == null ? ValueKind.TEXT : application.kind();
            meanings.add(new Witness.Meaning(application.symbol(), arguments, result(element(name), kind)));
        });
        return meanings;
    }

    /** A truth value that is neither null nor TRUE is FALSE. */
    private Value result(String element, ValueKind kind) {
        Value value = known.get(element);
        return kind == ValueKind.BOOLEAN && value == null ? Value.FALSE : value(element, kind);
    }

    /** From where the argument stands; if it stands nowhere, any kind will do. */
    private ValueKind kindOf(String term) {
        Value value = known.get(element(term));
        if (value != null) {
            return value.kind();
        }
        for (SymbolicDatabase database : encoded.databases()) {
            if (database.cellTypes().containsKey(term)) {
                return database.cellTypes().get(term).kind();
            }
        }
        Vocabulary.Application application = encoded.vocabulary().applications().get(term);
        return application == null || application.kind() == null ? ValueKind.TEXT : application.kind();
    }

    /**
     * The model's element for a term.
     *
     * <p>Of an application the name that was defined for it is asked, as models do not list terms.
     */
    private String element(String term) {
        Vocabulary.Application application = encoded.vocabulary().applications().get(term);
        String name = application == null
                ? term
                : encoded.observation().applications().getOrDefault(application, term);
        String element = model.get(name);
        if (element == null) {
            throw new UnreadableModel("the model is incomplete");
        }
        return element;
    }

    private static @Nullable BigDecimal number(String text) {
        try {
            int slash = text.indexOf('/');
            return slash < 0
                    ? new BigDecimal(text)
                    : new BigDecimal(new BigInteger(text.substring(0, slash)))
                            // A fraction of the solver's, as one third, is no decimal: near is enough, the check
                            // tells.
                            .divide(new BigDecimal(new BigInteger(text.substring(slash + 1))), MathContext.DECIMAL64);
        } catch (NumberFormatException other) {
            return null;
        }
    }
}
