package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads an expression as a value: a term where it is a deterministic function of columns, otherwise {@link Hidden} with
 * everything that it depends on. Every kind of expression is dispatched here; one that is not known is refused.
 *
 * <p>A term is what proofs are made of, so an expression is one only if nothing but its columns and arguments goes into
 * it: not other rows (aggregates, windows, sub-queries), not the call itself (sequences), not the session unless its
 * name says so ({@link Symbols}).
 */
final class ValueReader {

    /** What MariaDB makes of whole numbers that are written, if they are not longer. */
    private static final ColumnType BIGINT = ColumnType.integer("bigint(20)");

    private static final Pattern SURELY_A_BIGINT = Pattern.compile("-?[0-9]{1,18}");

    /** Names that a select list gives, for clauses that may use them. */
    interface Aliases {
        /** What this name may stand for in the select list. */
        List<Operand> find(Name name, Absence absence);
    }

    private final Work work;
    private final Place place;
    private final Absence absence;
    private final @Nullable Aliases aliases;
    /**
     * Distance of the nearest block whose columns were read, and whether any were. For aggregates over columns of outer
     * queries, which belong to those (CallReader).
     */
    private int nearest = Integer.MAX_VALUE;

    ValueReader(Work work, Place place, Absence absence) {
        this(work, place, absence, null);
    }

    ValueReader(Work work, Place place, Absence absence, @Nullable Aliases aliases) {
        this.work = work;
        this.place = place;
        this.absence = absence;
        this.aliases = aliases;
    }

    Work work() {
        return work;
    }

    Place place() {
        return place;
    }

    Absence absence() {
        return absence;
    }

    /** The distance of the nearest block whose columns were read so far. */
    int nearest() {
        return nearest;
    }

    /**
     * An argument of a function that makes a list of all the rows of a sub-query.
     *
     * <p>Its rows stand in the list one after the other, so that their order shows.
     */
    Operand readCollected(Expr argument) {
        return argument instanceof Expr.Scalar scalar
                ? new Subqueries(work).collected(scalar.query(), this, "a sub-query in a list")
                : read(argument);
    }

    List<Operand> readAll(List<Expr> expressions) {
        List<Operand> operands = new ArrayList<>(expressions.size());
        for (Expr expression : expressions) {
            operands.add(read(expression));
        }
        return operands;
    }

    Operand read(Expr e) {
        work.spend(e.position());
        work.account.read(e);
        if (e instanceof Expr.Column column) {
            return column(column.name());
        }
        if (e instanceof Expr.Parameter parameter) {
            return parameter(parameter);
        }
        if (e instanceof Expr.Literal literal) {
            return literal(literal);
        }
        if (e instanceof Expr.Call call) {
            return new CallReader(this).read(call);
        }
        Operand subquery = subquery(e);
        if (subquery != null) {
            return subquery;
        }
        Operand operation = new OperationReader(this).read(e);
        if (operation != null) {
            return operation;
        }
        return other(e);
    }

    /**
     * The rarer kinds. What is left over is refused: a kind of expression that is added to the tree means nothing until
     * somebody has said what.
     */
    private Operand other(Expr e) {
        if (e instanceof Expr.PolicyParameter parameter) {
            return new Operand.Plain(new Term.Context(parameter.name()), new Sort.OfContext(parameter.name()), true);
        }
        if (e instanceof Expr.WholeRow whole) {
            return wholeRow(whole);
        }
        if (e instanceof Expr.Variable variable && variable.system()) {
            // Vetting has let only variables pass that tell about settings.
            return function(FunctionKind.IDENTITY, "@@" + variable.scope() + "." + variable.name(), List.of());
        }
        if (e instanceof Expr.SequenceValue || e instanceof Expr.Default || e instanceof Expr.Star) {
            // A new number of a sequence, DEFAULT, the star in COUNT(*): none reads a column. Where they may stand is
            // Vetting's matter.
            return work.exact ? refuseInPolicy("this expression", e.position()) : Hidden.NOTHING;
        }
        throw work.refuse("this expression", e.position());
    }

    /** Values of sub-queries: for each row at hand the sub-query must be revealed. Null for other expressions. */
    private @Nullable Operand subquery(Expr e) {
        var subqueries = new Subqueries(work);
        if (e instanceof Expr.Scalar scalar) {
            return subqueries.value(scalar.query(), List.of(), this, "a sub-query in an expression");
        }
        if (e instanceof Expr.ArrayQuery array) {
            return subqueries.collected(array.query(), this, "a sub-query in ARRAY");
        }
        if (e instanceof Expr.Exists exists) {
            return subqueries.existence(exists.query(), this);
        }
        if (e instanceof Expr.InQuery in) {
            return subqueries.value(in.query(), List.of(read(in.operand())), this, "a sub-query in IN");
        }
        if (e instanceof Expr.QuantifiedQuery quantified) {
            return subqueries.value(
                    quantified.query(), List.of(read(quantified.left())), this, "a sub-query in ANY or ALL");
        }
        return null;
    }

    /**
     * What a name stands for: a column in sight, innermost first, or where aliases may be used what the select list
     * calls so. Two meanings give a value that depends on both.
     */
    private Operand column(QualifiedName name) {
        Set<Operand> meanings = new LinkedHashSet<>();
        if (aliases != null && name.isSimple()) {
            // ORDER BY prefers the alias, GROUP BY the column (PostgreSQL), HAVING either (MariaDB).
            meanings.addAll(aliases.find(name.last(), absence));
        }
        Scope scope = place.scope();
        if (scope != null && (meanings.isEmpty() || scope.isClear(name, work))) {
            Scope.Found found = scope.resolve(name, work);
            nearest = Math.min(nearest, found.level());
            meanings.add(found.row() ? row(found.cells()) : read(found.cells().get(0)));
        }
        if (meanings.isEmpty()) {
            throw work.noColumn("the column " + name + " outside of a query with tables", name.position());
        }
        // Databases differ in whether the select list's name or the table's column is meant: take both. Of one column
        // these
        // are the same value.
        // Through a select list a column comes out as one of a type of its own there, so the two look different even if
        // both are the column (SeventhAttackIT.aColumnIsGroupedByUnderItsPlainName).
        List<Operand> all = work.dialect == Dialect.MARIADB && meanings.size() > 1
                ? meanings.stream().map(ValueReader::ofNoColumn).distinct().toList()
                : List.copyOf(meanings);
        return all.size() == 1 ? all.get(0) : Hidden.over(all);
    }

    /** A row of one column is not that column: NULL in it, it is equal to itself. */
    private Operand row(List<Cell> cells) {
        List<Operand> operands = new ArrayList<>();
        for (Cell cell : cells) {
            operands.add(read(cell));
        }
        return function(FunctionKind.PURE, "row", operands);
    }

    /** What a column name stands for. */
    Operand read(Cell cell) {
        if (cell instanceof Cell.OfRow row) {
            var column = row.use().table().columns().get(row.column());
            Term.Variable variable = row.use().variable(row.column());
            work.mention(variable);
            return new Operand.Plain(variable, new Sort.Typed(column.type()), column.nullable());
        }
        if (cell instanceof Cell.Optional optional) {
            // NULL, but of the column's type.
            if (absence.has(optional.part())) {
                return Operand.Plain.nullOf(typeOf(optional.cell()));
            }
            return optional(optional);
        }
        if (cell instanceof Cell.OfExpression expression) {
            return selected(new ValueReader(work, expression.place(), absence).read(expression.expression()));
        }
        if (cell instanceof Cell.FirstNonNull first) {
            List<Operand> sides = List.of(read(first.left()), read(first.right()));
            return firstNonNull(sides);
        }
        work.mention((Cell.Revealed) cell);
        return Hidden.NOTHING;
    }

    private static ColumnType typeOf(Cell cell) {
        if (cell instanceof Cell.Optional inner) {
            return typeOf(inner.cell());
        }
        return cell instanceof Cell.OfRow row
                ? row.use().table().columns().get(row.column()).type()
                : Nulls.UNKNOWN;
    }

    /**
     * What comes out of a select list or a COALESCE. To PostgreSQL a string is of the type beside it; anywhere else, as
     * here, it is text. To MariaDB bits and hexadecimal numbers are what stands beside them, and a constant is what the
     * column beside it is; neither is so here.
     *
     * <p>{@code SELECT 'a' AS x} in FROM is text, and {@code x = char_column} compares as text there, not as CHAR;
     * beside the column itself {@code 'a'} would be a CHAR
     * ({@code FourthAttackIT.aStringIsOfItsColumnsTypeOnlyBesideIt}).
     */
    Operand selected(Operand operand) {
        if (work.dialect.has(DialectRule.CONSTANTS_BECOME_THE_COLUMNS)) {
            return isOfBits(operand)
                    ? function(FunctionKind.PURE, "selected", List.of(operand))
                    : ofNoColumn(ofNumber(operand));
        }
        if (work.dialect != Dialect.POSTGRESQL || work.exact || !(operand instanceof Operand.Plain plain)) {
            return operand;
        }
        if (plain.sort() instanceof Sort.OfLiteral literal && literal.kind() == LiteralKind.STRING) {
            Term term = new Term.Constant(Literals.plain(literal.kind(), literal.text()));
            return new Operand.Plain(term, new Sort.Typed(ResultSorts.TEXT), plain.nullable());
        }
        if (plain.sort() instanceof Sort.OfSlot slot && slot.kind() == LiteralKind.STRING) {
            boolean isText = work.arguments.expect(slot.slot(), ResultSorts.TEXT);
            return new Operand.Plain(
                    plain.term(),
                    isText ? new Sort.Typed(ResultSorts.TEXT) : new Sort.Unknown("string"),
                    plain.nullable());
        }
        return operand;
    }

    /** A whole number that is written, and comes out of something: then a number, and 99 no year. */
    private Operand ofNumber(Operand operand) {
        if (!(operand instanceof Operand.Plain plain)) {
            return operand;
        }
        if (plain.sort() instanceof Sort.OfLiteral literal && literal.kind() == LiteralKind.INTEGER) {
            if (!SURELY_A_BIGINT.matcher(literal.text()).matches()) {
                // Beside a number with a sign it may come out as another one.
                return function(FunctionKind.PURE, "selected", List.of(operand));
            }
            Term term = new Term.Constant(Literals.plain(literal.kind(), literal.text()));
            return new Operand.Plain(term, new Sort.Typed(BIGINT), plain.nullable());
        }
        if (plain.sort() instanceof Sort.OfSlot slot && slot.kind() == LiteralKind.INTEGER) {
            boolean isNumber = work.arguments.expect(slot.slot(), BIGINT);
            return new Operand.Plain(
                    plain.term(), isNumber ? new Sort.Typed(BIGINT) : new Sort.Unknown("number"), plain.nullable());
        }
        return operand;
    }

    private static Operand ofNoColumn(Operand operand) {
        return operand instanceof Operand.Plain plain && plain.sort() instanceof Sort.Typed typed
                ? new Operand.Plain(plain.term(), new Sort.Typed(typed.type().selected()), plain.nullable())
                : operand;
    }

    private static boolean isOfBits(Operand operand) {
        Sort sort = operand instanceof Operand.Plain plain ? plain.sort() : Sort.NULL;
        LiteralKind kind = sort instanceof Sort.OfLiteral literal
                ? literal.kind()
                : sort instanceof Sort.OfSlot slot ? slot.kind() : null;
        return kind == LiteralKind.BIT || kind == LiteralKind.HEX || kind == LiteralKind.HEX_NUMBER;
    }

    /**
     * A column of a nullable side that is taken to be there; noting it is what makes the part a matter of this
     * expression.
     */
    private Operand optional(Cell.Optional optional) {
        work.mention(optional.part());
        Operand operand = read(optional.cell());
        // Noted as one in a sub-query, so that whether the part is there is decided on before (Branching).
        if (operand instanceof Hidden hidden && !hidden.pendings().isEmpty()) {
            // The sub-query stands inside the part and is run for its rows only.
            work.inSubquery(() -> {
                work.mention(optional.part());
                return operand;
            });
        }
        return operand;
    }

    /** COALESCE; NULLs that are known as such are left out. */
    Operand firstNonNull(List<Operand> operands) {
        List<Operand> relevant = operands.stream()
                .filter(operand -> !(operand instanceof Operand.Plain plain && plain.isNull()))
                .toList();
        if (relevant.isEmpty()) {
            return Operand.NULL;
        }
        if (!Nulls.decideNothing(operands)) {
            // The database takes all for what they have in common.
            // Another function than COALESCE of the rest, which would be of another type.
            return function(FunctionKind.PURE, "coalesce with others", relevant);
        }
        return relevant.size() == 1 ? selected(relevant.get(0)) : function(FunctionKind.PURE, "coalesce", relevant);
    }

    private Operand wholeRow(Expr.WholeRow whole) {
        int level = 0;
        for (Scope scope = place.scope(); scope != null; scope = scope.outer()) {
            Relation relation = scope.relation(whole.qualifier().parts(), work);
            if (relation != null) {
                nearest = Math.min(nearest, level);
                return row(Scope.wholeRow(relation));
            }
            level++;
        }
        throw work.noColumn("the table " + whole.qualifier() + ", which is not in FROM", whole.position());
    }

    /**
     * A JDBC parameter may be NULL: that it is not was once taken for granted, and {@code ? IS NULL} showed each row
     * ({@code UnreadParametersIT}). A literal is not, unless it is NULL.
     *
     * <p>A lifted literal has a kind, and so more is known of it than of what a driver binds.
     */
    private Operand parameter(Expr.Parameter parameter) {
        LiteralKind kind = work.arguments.kind(parameter.slot());
        if (kind == LiteralKind.NULL) {
            return Operand.NULL;
        }
        return new Operand.Plain(
                new Term.Parameter(parameter.slot()), new Sort.OfSlot(parameter.slot(), kind), kind == null);
    }

    private Operand literal(Expr.Literal literal) {
        if (literal.kind() == LiteralKind.NULL) {
            return Operand.NULL;
        }
        return new Operand.Plain(
                new Term.Constant(Literals.plain(literal.kind(), literal.text())),
                new Sort.OfLiteral(literal.kind(), literal.text()),
                false);
    }

    /** A deterministic operation on operands. */
    Operand function(FunctionKind kind, String name, List<? extends Operand> operands) {
        for (Operand operand : operands) {
            if (operand instanceof Hidden) {
                return Hidden.over(operands);
            }
            // Known to be NULL, whatever the other arguments are: outer joins become inner ones by it (WHERE lower(b.x)
            // = 'a').
            if (kind == FunctionKind.STRICT && ((Operand.Plain) operand).isNull()) {
                Sort sort = ResultSorts.of(name, operands, work.dialect);
                return Operand.Plain.nullOf(
                        sort == null ? Nulls.UNKNOWN : Objects.requireNonNullElse(sort.type(), Nulls.UNKNOWN));
            }
        }
        String symbol = Symbols.of(kind, name, operands);
        List<Term> terms = new ArrayList<>(operands.size());
        for (Operand operand : operands) {
            terms.add(settled((Operand.Plain) operand));
        }
        Sort sort = ResultSorts.of(name, operands, work.dialect);
        return new Operand.Plain(
                // Nullable always, as a function of values that are not NULL may give NULL.
                new Term.Function(symbol, terms), Objects.requireNonNullElse(sort, new Sort.Unknown(symbol)), true);
    }

    /** A slot in a function takes the type that its literal shows, so that policies and statements agree. */
    private Term settled(Operand.Plain operand) {
        if (operand.sort() instanceof Sort.OfSlot slot && slot.kind() != null) {
            ColumnType type = ResultSorts.ofLiteral(slot.kind());
            if (type != null) {
                work.arguments.expect(slot.slot(), type);
            }
        }
        return operand.term();
    }

    @SuppressWarnings("DoNotCallSuggester") // Has a value where one is wanted.
    Operand refuseInPolicy(String construct, int position) {
        throw work.refuse(construct + " in a policy", position);
    }
}
