package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Whether an expression is surely a number without rounding: then its sum is the same in whatever order rows are summed
 * up. A sum of floating-point numbers is not, and can be made to tell the order (1e20, 1 and -1e20 give 0 or 1).
 */
final class ExactNumbers {

    /** What is known of a value's type. */
    private enum Kind {
        WHOLE,
        /** With a fraction, of however many digits. */
        DECIMAL,
        /** Floating point, or not known. */
        OTHER;

        boolean isExact() {
            return this != OTHER;
        }
    }

    /** Functions that add up rounded values, whatever they are given. */
    private static final Set<String> ROUNDED = Set.of(
            "corr",
            "covar_pop",
            "covar_samp",
            "regr_avgx",
            "regr_avgy",
            "regr_intercept",
            "regr_r2",
            "regr_slope",
            "regr_sxx",
            "regr_sxy",
            "regr_syy");
    /** Exact in PostgreSQL alone, where they are given exact numbers. */
    private static final Set<String> SPREAD =
            Set.of("std", "stddev", "stddev_pop", "stddev_samp", "var_pop", "var_samp", "variance", "ratio_to_report");

    private static final Set<String> SUMS = Set.of("sum", "avg");

    private static final Set<String> WHOLE_TYPES = Set.of(
            "integer",
            "int",
            "int2",
            "int4",
            "int8",
            "bigint",
            "smallint",
            "tinyint",
            "signed",
            "signed integer",
            "unsigned",
            "unsigned integer");
    private static final Set<String> DECIMAL_TYPES = Set.of("numeric", "decimal", "dec");

    private static final Set<String> WHOLE_CALLS = Set.of(
            "count",
            "row_number",
            "rank",
            "dense_rank",
            "ntile",
            "length",
            "char_length",
            "character_length",
            "octet_length",
            "bit_length",
            "position",
            "locate",
            "instr",
            "strpos",
            "ascii",
            "cardinality",
            "array_length",
            "json_length",
            "json_array_length",
            "jsonb_array_length",
            "datediff",
            "timestampdiff",
            "year",
            "month",
            "day",
            "dayofmonth",
            "dayofweek",
            "dayofyear",
            "hour",
            "minute",
            "second",
            "week",
            "quarter",
            "grouping",
            "regr_count",
            "bit_count");

    /** Functions of which each argument may be the result. */
    private static final Set<String> CHOICES = Set.of("coalesce", "ifnull", "nvl", "greatest", "least");
    /** The same, but for the first one, which is a condition. */
    private static final Set<String> CONDITIONAL = Set.of("if", "nvl2", "casewhen");
    /** What keeps the type of its first argument. */
    private static final Set<String> KEEPING = Set.of(
            "abs", "mod", "nullif", "min", "max", "sum", "any_value", "lag", "lead", "first_value", "last_value");
    /** What rounds: PostgreSQL makes floating point of a whole number for it. */
    private static final Set<String> ROUNDING =
            Set.of("round", "trunc", "truncate", "floor", "ceil", "ceiling", "sign");

    private final Work work;
    private final Place place;

    private ExactNumbers(Work work, Place place) {
        this.work = work;
        this.place = place;
    }

    /** Whether the result of an aggregate, or of a window function, may depend on the order of what it adds up. */
    static boolean addsRounded(Expr.Call call, Work work, Place place) {
        String name = name(call);
        if (ROUNDED.contains(name)) {
            return true;
        }
        boolean spread = SPREAD.contains(name);
        if (!spread && !SUMS.contains(name)) {
            return false;
        }
        var numbers = new ExactNumbers(work, place);
        return spread && work.dialect != Dialect.POSTGRESQL
                || !call.arguments().stream()
                        .allMatch(argument -> numbers.of(argument).isExact());
    }

    /** Whether a column is an exact number. */
    static boolean is(Cell cell, Work work) {
        return of(cell, work).isExact();
    }

    private static Kind of(Cell cell, Work work) {
        if (cell instanceof Cell.OfRow row) {
            return of(row.use().table().columns().get(row.column()).type());
        }
        if (cell instanceof Cell.Optional optional) {
            return of(optional.cell(), work);
        }
        if (cell instanceof Cell.OfExpression expression) {
            return new ExactNumbers(work, expression.place()).of(expression.expression());
        }
        if (cell instanceof Cell.FirstNonNull first) {
            return common(List.of(of(first.left(), work), of(first.right(), work)));
        }
        return ((Cell.Revealed) cell).isExact() ? Kind.DECIMAL : Kind.OTHER;
    }

    private static Kind of(ColumnType type) {
        if (type.kind() == ValueKind.NUMBER) {
            // PostgreSQL's numbers of any scale are exact, they only do not all look alike.
            boolean exact = type.hasExactEquality() || type.equality().equals("numeric") || type.whole();
            return !exact ? Kind.OTHER : type.whole() ? Kind.WHOLE : Kind.DECIMAL;
        }
        String name = type.nameInDatabase().toLowerCase(Locale.ROOT);
        return name.startsWith("interval") || name.equals("money") ? Kind.DECIMAL : Kind.OTHER;
    }

    private Kind of(Expr e) {
        work.spend(e.position());
        if (e instanceof Expr.Literal literal) {
            return literal(literal.kind());
        }
        if (e instanceof Expr.Parameter parameter) {
            // One of JDBC is of whatever type the driver gives it.
            LiteralKind kind = work.arguments.kind(parameter.slot());
            return kind == null ? Kind.OTHER : literal(kind);
        }
        if (e instanceof Expr.Column column) {
            return column(column);
        }
        if (e instanceof Expr.Unary unary) {
            return unary.operator().equals("-") || unary.operator().equals("+") ? of(unary.operand()) : Kind.OTHER;
        }
        if (e instanceof Expr.Binary binary) {
            return binary(binary);
        }
        if (e instanceof Expr.Case choice) {
            return choice(choice);
        }
        if (e instanceof Expr.Cast cast) {
            return cast(cast);
        }
        if (e instanceof Expr.Call call) {
            return call(call);
        }
        return isTruth(e) ? Kind.WHOLE : Kind.OTHER;
    }

    private Kind literal(LiteralKind kind) {
        return switch (kind) {
            case INTEGER, BOOLEAN, NULL -> Kind.WHOLE;
            case DECIMAL -> Kind.DECIMAL;
            // To PostgreSQL an exponent is a way to write a decimal number.
            case FLOAT -> work.dialect == Dialect.POSTGRESQL ? Kind.DECIMAL : Kind.OTHER;
            default -> Kind.OTHER;
        };
    }

    private Kind column(Expr.Column column) {
        Scope scope = place.scope();
        if (scope == null
                || !scope.isClear(column.name(), work) && column.name().isSimple()) {
            return Kind.OTHER;
        }
        List<Cell> cells = scope.resolve(column.name(), work).cells();
        return cells.size() == 1 ? of(cells.get(0), work) : Kind.OTHER;
    }

    private Kind binary(Expr.Binary binary) {
        Kind both = common(List.of(of(binary.left()), of(binary.right())));
        return switch (binary.operator()) {
            case "+", "-", "*", "%", "DIV", "&", "|" -> both;
            // Of whole numbers too there may be a fraction.
            case "/" -> both.isExact() && work.dialect != Dialect.H2 ? Kind.DECIMAL : both;
            default -> Kind.OTHER;
        };
    }

    private Kind choice(Expr.Case choice) {
        Kind kind = Kind.WHOLE;
        for (Expr.When when : choice.whens()) {
            kind = common(List.of(kind, of(when.result())));
        }
        return choice.otherwise() == null ? kind : common(List.of(kind, of(choice.otherwise())));
    }

    private static Kind cast(Expr.Cast cast) {
        String name = cast.type().name().toLowerCase(Locale.ROOT);
        if (cast.type().dimensions() > 0 || !cast.type().schema().isEmpty()) {
            return Kind.OTHER;
        }
        return WHOLE_TYPES.contains(name) ? Kind.WHOLE : DECIMAL_TYPES.contains(name) ? Kind.DECIMAL : Kind.OTHER;
    }

    private Kind call(Expr.Call call) {
        String name = name(call);
        List<Expr> arguments = call.arguments();
        if (WHOLE_CALLS.contains(name)) {
            return Kind.WHOLE;
        }
        if (arguments.isEmpty()) {
            return Kind.OTHER;
        }
        if (CHOICES.contains(name)) {
            return common(arguments.stream().map(this::of).toList());
        }
        if (CONDITIONAL.contains(name)) {
            return common(arguments.stream().skip(1).map(this::of).toList());
        }
        Kind first = of(arguments.get(0));
        if (KEEPING.contains(name)) {
            return first;
        }
        if (ROUNDING.contains(name)) {
            boolean floats = work.dialect == Dialect.POSTGRESQL && first == Kind.WHOLE;
            return floats ? Kind.OTHER : first;
        }
        // H2 makes floating point of an average.
        return name.equals("avg") && work.dialect != Dialect.H2 && first.isExact() ? Kind.DECIMAL : Kind.OTHER;
    }

    /** MariaDB's truth values are numbers; the others do not sum them up. */
    private static boolean isTruth(Expr e) {
        return e instanceof Expr.Comparison
                || e instanceof Expr.And
                || e instanceof Expr.Or
                || e instanceof Expr.Xor
                || e instanceof Expr.Not
                || e instanceof Expr.IsNull
                || e instanceof Expr.IsTruth
                || e instanceof Expr.IsDistinct
                || e instanceof Expr.Between
                || e instanceof Expr.InList
                || e instanceof Expr.InQuery
                || e instanceof Expr.Exists
                || e instanceof Expr.Match;
    }

    private static Kind common(List<Kind> kinds) {
        Kind common = Kind.WHOLE;
        for (Kind kind : kinds) {
            common = kind.compareTo(common) > 0 ? kind : common;
        }
        return common;
    }

    private static String name(Expr.Call call) {
        return call.name().last().text().toLowerCase(Locale.ROOT);
    }
}
