package io.leeway.privoxy.internal.refute;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;

/**
 * SQL's comparisons of two concrete values, as far as they are the same in every database.
 *
 * <p>A counterexample must be one in the user's database, whose collations and conversions are not known here. So
 * wherever databases may differ this gives no answer, and the pair does not count.
 */
final class Comparisons {

    /**
     * The result of a key function: equal to another exactly if SQL calls the two values equal.
     *
     * <p>Not a computed sort key: which texts a collation calls equal is the database's secret.
     */
    private record Wrapped(String symbol, Value value) {}

    private Comparisons() {}

    static Value wrap(String symbol, Value value) {
        return value.isNull() ? value : Value.of(ValueKind.OPAQUE, new Wrapped(symbol, value));
    }

    /** Whether two values are identical; NULL is identical to NULL. */
    static boolean same(Value a, Value b) {
        if (a.equals(b)) {
            return true;
        }
        // Surely equal or surely different; between the two lies what a collation decides.
        if (a.isKnownToDifferFrom(b) || differ(a, b)) {
            return false;
        }
        throw new NotEvaluable("two values may or may not be the same");
    }

    /** Whether two rows are surely different. */
    static boolean differ(List<Value> a, List<Value> b) {
        for (int i = 0; i < a.size(); i++) {
            if (a.get(i).isKnownToDifferFrom(b.get(i)) || differ(a.get(i), b.get(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean differ(Value a, Value b) {
        return a.raw() instanceof Wrapped left
                && b.raw() instanceof Wrapped right
                && left.symbol().equals(right.symbol())
                && left.value().kind() == right.value().kind()
                && left.value().isKnownToDifferFrom(right.value())
                // Different even if all that collations are known to overlook (case, accents, signs) is taken away.
                && !approximation(left.value()).equals(approximation(right.value()));
    }

    /** Values that some collation or rounding may call equal have one approximation. */
    private static Object approximation(Value value) {
        if (value.raw() instanceof String text) {
            String plain = Normalizer.normalize(text, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT);
            return plain.replaceAll("[^a-z0-9]", "");
        }
        // Floating point of single precision is the coarsest equality of numbers that a column can have.
        return value.raw() instanceof Number number ? (Object) number.floatValue() : value.raw();
    }

    /** {@code a < b} or {@code a <= b}, of two non-null values. */
    static boolean less(Value a, Value b, boolean orEqual) {
        Value left = a.raw() instanceof Wrapped wrapped ? wrapped.value() : a;
        Value right = b.raw() instanceof Wrapped wrapped ? wrapped.value() : b;
        if (a.equals(b)) {
            return orEqual;
        }
        // Order between texts is the collation's, so no pair of databases is made by it.
        if (!left.isOrderedWith(right) || same(a, b)) {
            throw new NotEvaluable("the order of two values is the database's");
        }
        return left.compareOrdered(right) < 0;
    }
}
