package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How {@code <} is understood. Values of a kind whose order every database shares get a position on the real line, so
 * the solver's arithmetic knows that the order is total and where constants stand. So do results of key functions,
 * whose order is total though nothing says where a constant stands. All other orders (texts: the collation decides) are
 * a relation of which only determinism is assumed.
 *
 * <p>What a solver is told of an order is used in proofs, so it has to hold in every database. Text is compared by
 * collations, and of other kinds it is not certain that databases agree, so these have no line.
 */
final class Ordering {

    private static final Set<ValueKind> SHARED =
            EnumSet.of(ValueKind.NUMBER, ValueKind.DATE, ValueKind.TIME, ValueKind.TIMESTAMP, ValueKind.INSTANT);
    private static final BigDecimal NANOS = BigDecimal.TEN.pow(9);

    private Ordering() {}

    /** The name of the real line on which both sides have positions, or null if there is none. */
    static @Nullable String line(Side left, Side right) {
        String a = left.line();
        String b = right.line();
        if (a == null || b == null) {
            // A parameter takes the order of the column beside it.
            return left.isOpen() ? b : right.isOpen() ? a : null;
        }
        return a.equals(b) ? a : null;
    }

    /** The position of a value among those of its kind, or null if it has none that every database shares. */
    static @Nullable BigDecimal position(Value value) {
        Object raw = value.raw();
        if (value.kind() == ValueKind.NUMBER) {
            return raw instanceof Long whole
                    ? BigDecimal.valueOf(whole)
                    : raw instanceof BigDecimal other ? other : null;
        }
        if (raw instanceof LocalDate date) {
            // Each kind has its own line, so days and seconds never meet.
            return BigDecimal.valueOf(date.toEpochDay());
        }
        if (raw instanceof LocalTime time) {
            return BigDecimal.valueOf(time.toNanoOfDay()).divide(NANOS);
        }
        if (raw instanceof LocalDateTime moment) {
            return seconds(moment.toInstant(ZoneOffset.UTC));
        }
        if (raw instanceof OffsetDateTime moment) {
            return seconds(moment.toInstant());
        }
        return raw instanceof Instant moment ? seconds(moment) : null;
    }

    /** Exact, as two moments that differ in nanoseconds must not share a position. */
    private static BigDecimal seconds(Instant moment) {
        return BigDecimal.valueOf(moment.getEpochSecond())
                .add(BigDecimal.valueOf(moment.getNano()).divide(NANOS));
    }

    /**
     * A side of a comparison: what is known of its type.
     *
     * <p>Open is a side that takes the other's line; other is one that has none and fits none.
     */
    record Side(@Nullable String line, boolean isOpen) {

        /** An argument whose type is not known here. */
        static final Side OPEN = new Side(null, true);

        /** Neither a kind with a shared order nor compatible with one. */
        static final Side OTHER = new Side(null, false);

        /** Where equality is coarser than identity so is the order. */
        static Side of(ColumnType type) {
            return type.hasExactEquality() ? of(type.kind()) : OTHER;
        }

        static Side of(Value value) {
            return position(value) == null ? OTHER : of(value.kind());
        }

        static Side of(Term.Function function) {
            return function.symbol().startsWith("key:") ? new Side(function.symbol(), false) : OTHER;
        }

        private static Side of(ValueKind kind) {
            return SHARED.contains(kind) ? new Side(kind.name(), false) : OTHER;
        }
    }
}
