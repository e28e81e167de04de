package io.leeway.hindex.internal.cli;

import io.leeway.hindex.Condition;
import io.leeway.hindex.IndexColumn;
import io.leeway.hindex.IndexDefinition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Conditions on the columns of an index, from options in their order: each begins the condition of the next column. */
final class ConditionOptions {

    static final List<Usage.Option> OPTIONS = List.of(
            new Usage.Option("is", "VALUE", "the column has this value"),
            new Usage.Option("or", "VALUE", "or this one; after --is, as often as needed"),
            new Usage.Option("absent", "", "the column has no value; not the first one"),
            new Usage.Option("prefix", "VALUE", "it begins so; the last column only, as all of the following"),
            new Usage.Option("from", "VALUE", "it is this or greater"),
            new Usage.Option("above", "VALUE", "it is greater"),
            new Usage.Option("to", "VALUE", "it is this or smaller; of the same column if after --from or --above"),
            new Usage.Option("below", "VALUE", "it is smaller; as --to"),
            new Usage.Option("any", "", "it has a value"));

    private final Arguments arguments;
    private final IndexDefinition index;
    private final List<Condition> conditions = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();
    private @Nullable Range range;

    private ConditionOptions(Arguments arguments, IndexDefinition index) {
        this.arguments = arguments;
        this.index = index;
    }

    private record Range(
            @Nullable Object low,
            boolean lowIncluded,
            @Nullable Object high,
            boolean highIncluded) {}

    /** One for each column, as far as there are conditions; the first one always. */
    static List<Condition> read(Arguments arguments, IndexDefinition index) throws CommandException {
        var reader = new ConditionOptions(arguments, index);
        for (Arguments.Given option : arguments.given()) {
            reader.add(option);
        }
        reader.end();
        return reader.conditions.isEmpty() ? List.of(Condition.isPresent()) : reader.conditions;
    }

    private void add(Arguments.Given option) throws CommandException {
        switch (option.name()) {
            case "is" -> {
                end();
                values.add(value(option));
            }
            case "or" -> {
                if (values.isEmpty()) {
                    throw arguments.problem("--or stands after --is VALUE");
                }
                values.add(value(option));
            }
            case "absent" -> whole(Condition.isAbsent());
            case "any" -> whole(Condition.isPresent());
            case "prefix" -> {
                end();
                whole(Condition.startsWith(value(option)));
            }
            case "from", "above" -> {
                end();
                range = new Range(value(option), option.name().equals("from"), null, false);
            }
            case "to", "below" -> high(option);
            default -> {
                // Not a condition.
            }
        }
    }

    private void whole(Condition condition) throws CommandException {
        end();
        column();
        conditions.add(condition);
    }

    private void high(Arguments.Given option) throws CommandException {
        Range low = range;
        if (low == null || low.high != null) {
            end();
            low = new Range(null, false, null, false);
        }
        range = new Range(low.low, low.lowIncluded, value(option), option.name().equals("to"));
    }

    private void end() {
        if (!values.isEmpty()) {
            conditions.add(Condition.in(values));
            values.clear();
        }
        Range open = range;
        if (open != null) {
            conditions.add(new Condition.Range(open.low, open.lowIncluded, open.high, open.highIncluded));
            range = null;
        }
    }

    private Object value(Arguments.Given option) throws CommandException {
        IndexColumn column = column();
        try {
            return ValueText.read(column.encoding().valueType(), option.value());
        } catch (IllegalArgumentException e) {
            throw arguments.problem(
                    "--" + option.name() + " " + option.value() + " is no value of " + column + "; " + e.getMessage());
        }
    }

    /** The one that the next condition is of. */
    private IndexColumn column() throws CommandException {
        if (conditions.size() == index.columns().size()) {
            throw arguments.problem("there are more conditions than the index " + index.name() + " has columns, "
                    + index.columns().size());
        }
        return index.columns().get(conditions.size());
    }
}
