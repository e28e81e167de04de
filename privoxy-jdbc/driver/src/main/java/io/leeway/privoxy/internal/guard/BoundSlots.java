package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.sql.SlotSource;
import java.sql.Array;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one execution: JDBC parameters and literals, read as the expected types.
 *
 * <p>Each slot is read once for an execution, so that obligations that share it see the same value even if the object
 * behind it is changed meanwhile. Not thread-safe.
 */
final class BoundSlots implements SlotValues {

    private final List<SlotSource> sources;
    private final List<ColumnType> types;
    private final Parameters parameters;
    private final @Nullable Value[] values;

    BoundSlots(List<SlotSource> sources, List<ColumnType> types, Parameters parameters) {
        this.sources = sources;
        this.types = types;
        this.parameters = parameters;
        this.values = new Value[types.size()];
    }

    /** Read as the type that the statement compares it with ({@link ValueReader}). */
    @Override
    public Value value(int slot) {
        Value known = values[slot];
        if (known == null) {
            known = ValueReader.parameter(object(slot), types.get(slot));
            values[slot] = known;
        }
        return known;
    }

    @Override
    public boolean mayBeNull(int slot) {
        // A literal that is not read is a value all the same; only what an application bound may be NULL.
        return sources.get(slot) instanceof SlotSource.Jdbc && object(slot) == Parameters.UNKNOWN;
    }

    @Override
    public @Nullable List<Value> elements(int slot) {
        Object array = object(slot);
        if (array instanceof Array sql) {
            array = content(sql);
        }
        LinkedHashSet<Value> elements = new LinkedHashSet<>();
        if (array instanceof Object[] objects) {
            for (Object element : objects) {
                elements.add(ValueReader.parameter(element, types.get(slot)));
            }
        } else if (array instanceof Collection<?> objects) {
            objects.forEach(element -> elements.add(ValueReader.parameter(element, types.get(slot))));
        } else if (array instanceof long[] numbers) {
            for (long number : numbers) {
                elements.add(Value.of(number));
            }
        } else if (array instanceof int[] numbers) {
            for (int number : numbers) {
                elements.add(Value.of(number));
            }
        } else {
            // A list of a kind that is not read here may have any elements: the obligation is refused as undecided.
            return null;
        }
        return List.copyOf(elements);
    }

    private static @Nullable Object content(Array array) {
        try {
            return array.getArray();
        } catch (SQLException unreadable) {
            // Not known: the statement cannot be decided.
            return null;
        }
    }

    /** Literals that were lifted out of the text are slots like parameters, so that one plan serves all. */
    private @Nullable Object object(int slot) {
        SlotSource source = sources.get(slot);
        return source instanceof SlotSource.Jdbc jdbc
                ? parameters.get(jdbc.index())
                : Literals.object(((SlotSource.Lifted) source).literal());
    }
}
