package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.sql.ast.Expr;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Literals of SQL text as the Java objects that an application would bind in their place.
 *
 * <p>A literal and a parameter of the same value have to be the same to the checker, or templates would not serve both.
 */
final class Literals {

    /** No column has a number of more digits, and to read one takes time that grows with their square. */
    private static final int MOST_DIGITS = 1_000;

    private Literals() {}

    /** The object, null for NULL, or {@link Parameters#UNKNOWN} for a kind that is not read here. */
    static @Nullable Object object(Expr.Literal literal) {
        return switch (literal.kind()) {
            case INTEGER, DECIMAL -> number(literal.text());
            case STRING -> literal.text();
            case BOOLEAN -> Boolean.valueOf(literal.text());
            case NULL -> null;
            // Dates, bits, binary texts: how they are read depends on the database and its settings.
            default -> Parameters.UNKNOWN;
        };
    }

    private static Object number(String text) {
        if (text.length() > MOST_DIGITS) {
            return Parameters.UNKNOWN;
        }
        try {
            // Exact, whatever the number is compared with.
            return new BigDecimal(text);
        } catch (NumberFormatException unusual) {
            // 0x1F, 1_000 and the like.
            return Parameters.UNKNOWN;
        }
    }
}
