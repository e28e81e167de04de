package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Expr;
import java.util.function.Supplier;

/** What a column name stands for. */
sealed interface Cell {

    /** A column of a relation whose rows are revealed by themselves. */
    Cell REVEALED = new Revealed();

    /** A column of a table. */
    record OfRow(Use use, int column) implements Cell {}

    /** An expression in the select list of a query in FROM, read where it stands. */
    record OfExpression(Expr expression, Place place) implements Cell {}

    /** A column of the nullable side of an outer join. */
    record Optional(OptionalPart part, Cell cell) implements Cell {}

    /** The common column of FULL JOIN … USING: the first that is not NULL. */
    record FirstNonNull(Cell left, Cell right) implements Cell {}

    /** See {@link #REVEALED}. Each is another column: compared by identity. */
    final class Revealed implements Cell {

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
