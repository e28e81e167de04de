package io.leeway.lazybase.internal.query;

import io.leeway.lazybase.internal.column.KeyCodec;
import io.leeway.lazybase.internal.column.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which keys rows can have that fit a condition: equalities of the first columns of the key, then bounds of the next one. Ranges do not
 * overlap and stand in order. They may hold rows that do not fit, never miss one that does.
 */
public final class KeyRanges {

    private static final int MOST = 1_000;

    private KeyRanges() {}

    /** The ranges of a condition; all keys if it says nothing about them. */
    public static List<KeyRange> of(Predicate predicate, KeyCodec codec) {
        List<Predicate> conjuncts = predicate instanceof Predicate.And and ? and.parts() : List.of(predicate);
        int[] key = codec.columns();
        List<Object[]> prefixes = java.util.Collections.singletonList(new Object[0]);
        int column = 0;
        while (column < key.length) {
            List<Object> values = values(conjuncts, key[column]);
            if (values == null || (long) prefixes.size() * values.size() > MOST) {
                break;
            }
            var longer = new ArrayList<Object[]>();
            for (Object[] prefix : prefixes) {
                for (Object value : values) {
                    Object[] next = Arrays.copyOf(prefix, prefix.length + 1);
                    next[prefix.length] = value;
                    longer.add(next);
                }
            }
            prefixes = longer;
            column++;
        }
        var ranges = new ArrayList<KeyRange>();
        for (Object[] prefix : prefixes) {
            byte[] begin = codec.prefix(prefix);
            if (begin == null) {
                continue;
            }
            KeyRange range = prefix.length == 0 ? KeyRange.ALL : new KeyRange(begin, KeyCodec.after(begin));
            if (column < key.length) {
                range = bounded(range, prefix, conjuncts, key[column], codec);
            }
            if (!range.isEmpty()) {
                ranges.add(range);
            }
        }
        return ranges;
    }

    /** The values that a column can have, if they are few. */
    private static @Nullable List<Object> values(List<Predicate> conjuncts, int column) {
        for (Predicate each : conjuncts) {
            if (each instanceof Predicate.CompareLong compare
                    && compare.column() == column
                    && compare.op() == Predicate.Op.EQUAL) {
                return List.of(compare.value());
            }
            if (each instanceof Predicate.CompareBytes compare
                    && compare.column() == column
                    && compare.op() == Predicate.Op.EQUAL) {
                return List.of(compare.value());
            }
            if (each instanceof Predicate.InLongs in && in.column() == column) {
                return Arrays.stream(in.sorted())
                        .<Object>mapToObj(value -> value)
                        .toList();
            }
        }
        return null;
    }

    private static KeyRange bounded(
            KeyRange range, Object[] prefix, List<Predicate> conjuncts, int column, KeyCodec codec) {
        KeyRange result = range;
        for (Predicate each : conjuncts) {
            if (each instanceof Predicate.CompareLong compare && compare.column() == column) {
                result = result.and(bound(prefix, compare.op(), compare.value(), codec));
            } else if (each instanceof Predicate.CompareBytes compare && compare.column() == column) {
                result = result.and(bound(prefix, compare.op(), compare.value(), codec));
            } else if (each instanceof Predicate.StartsWith starts && starts.column() == column) {
                byte[] begin = codec.prefix(append(prefix, starts.prefix()));
                // Without the two zeros that end the value.
                byte[] open = begin == null ? null : Arrays.copyOf(begin, begin.length - 2);
                if (open != null) {
                    result = result.and(new KeyRange(open, KeyCodec.after(open)));
                }
            }
        }
        return result;
    }

    private static KeyRange bound(Object[] prefix, Predicate.Op op, Object value, KeyCodec codec) {
        byte[] at = codec.prefix(append(prefix, value));
        if (at == null) {
            return KeyRange.ALL;
        }
        return switch (op) {
            case EQUAL -> new KeyRange(at, KeyCodec.after(at));
            case LESS -> new KeyRange(null, at);
            case LESS_OR_EQUAL -> new KeyRange(null, KeyCodec.after(at));
            case GREATER -> {
                byte[] after = KeyCodec.after(at);
                // Nothing is above a key of the greatest bytes.
                yield after == null ? new KeyRange(at, at) : new KeyRange(after, null);
            }
            case GREATER_OR_EQUAL -> new KeyRange(at, null);
            case NOT_EQUAL -> KeyRange.ALL;
        };
    }

    private static Object[] append(Object[] prefix, Object value) {
        Object[] longer = Arrays.copyOf(prefix, prefix.length + 1);
        longer[prefix.length] = value;
        return longer;
    }
}
