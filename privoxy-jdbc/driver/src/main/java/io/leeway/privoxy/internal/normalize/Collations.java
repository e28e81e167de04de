package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.normalize.Representation.Kind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether a text of PostgreSQL may have a collation that takes different texts for equal. A function's or a cast's
 * result has that of any of its arguments.
 *
 * <p>It matters for rows that are put together or sorted ({@link EqualValues}): under a collation without cases
 * {@code DISTINCT name} shows one of {@code Bob} and {@code BOB}, and which one depends on the order of rows, which may
 * be that of a hidden index. Of a column as it is stored that is a known hole; of what a statement makes itself it is
 * refused ({@code OneFormIT}). PostgreSQL only: H2 and MariaDB have one collation for what a statement makes, which is
 * looked at elsewhere.
 */
final class Collations {

    // Collations of the catalogue under which only equal bytes are equal. Others may have been made with deterministic
    // = false, which the name does not tell.
    private static final Set<String> DETERMINISTIC = Set.of("C", "POSIX", "default", "ucs_basic");
    // These have no collation, whatever they were cast from.
    private static final Set<String> WITHOUT = Set.of("interval", "jsonb");

    private final Work work;
    private final Place place;

    Collations(Work work, Place place) {
        this.work = work;
        this.place = place;
    }

    /** Whether this is one of the catalogue's, which come first where no schema is named. */
    static boolean isDeterministic(QualifiedName name) {
        List<Name> parts = name.parts();
        boolean isBuiltIn =
                parts.size() == 1 || parts.size() == 2 && parts.get(0).text().equals("pg_catalog");
        return isBuiltIn && DETERMINISTIC.contains(name.last().text());
    }

    /** Whether texts that this gives may be equal and look different. */
    boolean takeForEqual(Expr e) {
        boolean isMade = e instanceof Expr.Call || e instanceof Expr.Cast || e instanceof Expr.Binary;
        return work.dialect == Dialect.POSTGRESQL && isMade && isIn(e);
    }

    private boolean isIn(Node node) {
        if (node instanceof Expr.Column column) {
            List<Cell> cells = Representations.cells(column, place, work);
            return cells.size() != 1 || isIn(cells.get(0));
        }
        if (node instanceof Expr.Collate collate) {
            return !isDeterministic(collate.collation());
        }
        if (node instanceof Expr.Cast cast) {
            return isCast(cast);
        }
        if (node instanceof Expr.Scalar scalar) {
            return isOf(new Representations(work, place).of(scalar));
        }
        if (node instanceof Expr.Call call) {
            FunctionKind kind = work.kind(call.name());
            boolean isKnown = kind != null && kind != FunctionKind.ALLOWED;
            // A function that the operator allows may return a text under any collation.
            return !isKnown || Tree.children(node).stream().anyMatch(this::isIn);
        }
        // The result of a comparison is a truth value; that the comparison was under some collation does not get into
        // it.
        boolean isTruth = node instanceof Expr e && ExactNumbers.isTruth(e);
        return !isTruth && Tree.children(node).stream().anyMatch(this::isIn);
    }

    private boolean isCast(Expr.Cast cast) {
        String name = cast.type().name();
        // A type of a schema may be a domain with a collation of its own.
        if (!cast.type().schema().isEmpty()) {
            return true;
        }
        if (Representations.TEXT_TYPES.contains(name) || Representations.PADDED_TYPES.contains(name)) {
            return isIn(cast.operand());
        }
        return Stream.of(
                        WITHOUT,
                        Representations.WHOLE_TYPES,
                        Representations.DECIMAL_TYPES,
                        Representations.FLOATING_TYPES,
                        Representations.SINGLE_TYPES,
                        Representations.ZONED_TYPES,
                        Representations.UNORDERED_TYPES)
                .noneMatch(types -> types.contains(name));
    }

    private boolean isIn(Cell cell) {
        if (cell instanceof Cell.OfRow row) {
            return isOf(row.use().table().columns().get(row.column()).type());
        }
        if (cell instanceof Cell.Optional optional) {
            return isIn(optional.cell());
        }
        if (cell instanceof Cell.OfExpression expression) {
            return new Collations(work, expression.place()).isIn(expression.expression());
        }
        if (cell instanceof Cell.FirstNonNull first) {
            return isIn(first.left()) || isIn(first.right());
        }
        return isOf(((Cell.Revealed) cell).representation());
    }

    private static boolean isOf(Representation form) {
        return form.source() != null
                ? isOf(form.source().type())
                : !form.isExact() && !form.is(Kind.FLOATING) && !form.is(Kind.UNORDERED);
    }

    /**
     * The name of an equality has that of a collation that is not deterministic; of composite types nothing is known.
     *
     * <p>That {@code citext} ignores cases is the type's doing, not a collation's: a function of it gives text under
     * its collation, which is the default one here.
     */
    private static boolean isOf(ColumnType type) {
        String equality = type.equality();
        boolean isComposite = type.kind() == ValueKind.OPAQUE && equality.contains(".");
        return isComposite || equality.contains(":") && !equality.equals("citext:default");
    }
}
