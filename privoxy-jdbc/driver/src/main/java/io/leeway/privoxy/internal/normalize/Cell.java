package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Expr;
import java.util.function.Supplier;

/**
 * What a column name stands for.
 *
 * <p>A name is not resolved to a value but to where the value comes from, since the same column is read several times:
 * for each choice of optional parts that are absent, for the questions, for the order, for what is recorded. Whoever
 * asks reads the cell anew ({@link ValueReader}).
 */
sealed interface Cell {

    /** A column of a relation whose rows are revealed by themselves. */
    Cell REVEALED = new Revealed();

    /** A column of a table. */
    record OfRow(Use use, int column) implements Cell {}

    /**
     * An expression in the select list of a query in FROM, read where it stands.
     *
     * <p>Its place goes with it: {@code FROM (SELECT a.x + 1 AS y FROM a) q} may be used where another table is called
     * a.
     */
    record OfExpression(Expr expression, Place place) implements Cell {}

    /**
     * A column of the nullable side of an outer join.
     *
     * <p>Reading it mentions the part, by which {@link Branching} knows that it matters whether the part is there.
     */
    record Optional(OptionalPart part, Cell cell) implements Cell {}

    /**
     * The common column of FULL JOIN … USING: the first that is not NULL.
     *
     * <p>So the standard defines it, and the three databases do: of a row without match one side is NULL.
     */
    record FirstNonNull(Cell left, Cell right) implements Cell {}

    /** See {@link #REVEALED}. Each is another column: compared by identity. */
    final class Revealed implements Cell {

        // Found out when asked for, and mostly nobody asks: only sums, and rows that are put together or sorted.
        private final Supplier<ExactNumber> number;
        private final Supplier<Representation> representation;

        Revealed() {
            this(() -> Representation.VARIOUS);
        }

        Revealed(Supplier<Representation> representation) {
            this(() -> ExactNumber.OTHER, representation);
        }

        /** One of which it is found out when asked what number it is, and how its values are written. */
        Revealed(Supplier<ExactNumber> number, Supplier<Representation> representation) {
            this.number = number;
            this.representation = representation;
        }

        Representation representation() {
            return representation.get();
        }

        ExactNumber number() {
            return number.get();
        }
    }
}
