package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a term's type.
 *
 * <p>The type says two things: as what a value is compared with another ({@link Pairing}), and which function an
 * operator is on it ({@link #tag}). A literal has neither until it stands beside something.
 */
@SuppressWarnings("ClassInitializationDeadlock") // The constants are made of records that refer to nothing here.
sealed interface Sort {

    /** The NULL literal. */
    Sort NULL = new OfNull(null);

    Sort BOOLEAN = new Typed(ColumnType.exact(ValueKind.BOOLEAN, "boolean"));

    /** A number without fraction, of whatever width. */
    Sort INTEGER = new Typed(ColumnType.integer("integer"));

    /**
     * Names the type in the symbols of functions: the same operator on other types is another function, so terms are
     * the same function only if the names agree.
     */
    String tag();

    /** The type, or null if it is not known. */
    default @Nullable ColumnType type() {
        return null;
    }

    /** Of this type. */
    record Typed(ColumnType type) implements Sort {
        @Override
        public String tag() {
            return type.equality().isEmpty() ? type.sqlName() : type.sqlName() + "/" + type.equality();
        }
    }

    /** A literal in the text; its type is what it is compared with. */
    record OfLiteral(LiteralKind kind, String text) implements Sort {
        @Override
        public String tag() {
            return kind.name();
        }
    }

    /** A slot: a lifted literal, or with {@code kind == null} a JDBC parameter. */
    record OfSlot(int slot, @Nullable LiteralKind kind) implements Sort {
        @Override
        public String tag() {
            return kind == null ? "?" : kind.name();
        }
    }

    /** A context parameter of a policy. */
    record OfContext(String name) implements Sort {
        @Override
        public String tag() {
            return "?context";
        }
    }

    /**
     * Certainly NULL.
     *
     * @param of its type, which decides what others beside it are taken for; null if it is not known, or the bare word
     */
    record OfNull(@Nullable ColumnType of) implements Sort {
        @Override
        public String tag() {
            return "null";
        }
    }

    /**
     * Not known; values of it are compared by functions that nothing is assumed of.
     *
     * <p>The tag is the symbol of what made it, so that the same operation on two results of one function is one
     * function, too.
     */
    record Unknown(String tag) implements Sort {}
}
