package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether an expression is surely a number without rounding: then its sum is the same in whatever order rows are summed
 * up. A sum of floating-point numbers is not, and can be made to tell the order (1e20, 1 and -1e20 give 0 or 1).
 *
 * <p>Which of two rows comes first may be told by a hidden column, whose index the database goes through, and of which
 * no view shows anything. {@code SELECT SUM(CASE id WHEN 1 THEN 1e20 WHEN 2 THEN 1 ELSE -1e20 END)} reads that order
 * off. So such sums are refused unless they are given an order of their own ({@link RowOrder});
 * {@code FifthAttackIT.sumsThatAreRoundedTellNoOrder}.
 *
 * <p>Lists of what is known to be exact: what is on none, a parameter above all, may be floating point.
 */
final class ExactNumbers {

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
    /**
     * Exact in PostgreSQL alone, where they are given exact numbers. PostgreSQL computes them of numeric in numeric;
     * MariaDB and H2 in floating point whatever they are given.
     */
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

    // Whole whatever their arguments are. Not EXTRACT, DATE_PART and the like, which have fractions or are floating
    // point to PostgreSQL; not LENGTH, which is a distance for some of its types.
    static final Set<String> WHOLE_CALLS = Set.of(
            "count",
            "row_number",
            "rank",
            "dense_rank",
            "ntile",
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

    /**
     * Functions of which each argument may be the result. All of them: a sum of COALESCE(price, 0e0) is one of floating
     * point by an argument that is not the first (SeventhAttackIT.noSumIsOfFloatingPointByAnotherThanItsFirstArgument).
     */
    private static final Set<String> CHOICES = Set.of("coalesce", "ifnull", "nvl", "nullif", "greatest", "least");
    /** The same, but for the first one, which is a condition. */
    private static final Set<String> CONDITIONAL = Set.of("if", "nvl2", "casewhen");
    /** What gives its argument, or one of its arguments. */
    private static final Set<String> KEEPING = Set.of("abs", "min", "max", "any_value", "first_value", "last_value");
    /**
     * What gives a value of an earlier or later row, or else its third argument. LAG(x, 1, 0e0): the third is taken
     * where there is no such row.
     */
    private static final Set<String> OFFSETS = Set.of("lag", "lead");
    /**
     * What rounds: PostgreSQL makes floating point of a whole number for it. On PostgreSQL CEIL of a whole quotient is
     * double precision, and its sum tells an order.
     */
    private static final Set<String> ROUNDING =
            Set.of("round", "trunc", "truncate", "floor", "ceil", "ceiling", "sign");

    /** What is of a text or of bytes, so that its length is a number of these. */
    private static final Set<String> TEXTS = Set.of("text", "varchar", "character varying", "bytea");

    private static final Set<ValueKind> LONG_KINDS = Set.of(ValueKind.TEXT, ValueKind.BYTES);
    private static final Set<String> TEXT_CALLS = Set.of(
            "lower",
            "upper",
            "initcap",
            "trim",
            "btrim",
            "ltrim",
            "rtrim",
            "substr",
            "substring",
            "replace",
            "concat",
            "concat_ws",
            "left",
            "right",
            "lpad",
            "rpad",
            "repeat",
            "reverse",
            "md5",
            "to_char",
            "split_part",
            "string_agg");

    /**
     * With digits of which is not known how many they are. More than MariaDB's decimals hold, so that a sum of such is
     * refused there and taken elsewhere.
     */
    private static final ExactNumber LONG = ExactNumber.decimal(1_000, 1_000);

    private static final Pattern DECIMAL = Pattern.compile("^(?:decimal|numeric)\\((\\d{1,4})(?:,\\s*(\\d{1,4}))?\\)");

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
        // All arguments, since of functions with several each may be added up.
        return spread && work.dialect != Dialect.POSTGRESQL
                || !call.arguments().stream()
                        .allMatch(argument -> numbers.of(argument).hasExactSum(work.dialect));
    }

    /** What is known of a column. */
    static ExactNumber of(Cell cell, Work work) {
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
            return ExactNumber.common(List.of(of(first.left(), work), of(first.right(), work)));
        }
        return ((Cell.Revealed) cell).number();
    }

    private static ExactNumber of(ColumnType type) {
        String name = type.nameInDatabase().toLowerCase(Locale.ROOT);
        if (type.kind() == ValueKind.NUMBER) {
            // PostgreSQL's numbers of any scale are exact, they only do not all look alike.
            // Floating point has an equality of its own here (0 and -0), by which it is told apart.
            boolean exact = type.hasExactEquality() || type.equality().equals("numeric") || type.whole();
            return exact ? exact(type, name) : ExactNumber.OTHER;
        }
        return name.startsWith("interval") || name.equals("money") ? ExactNumber.AMOUNT : ExactNumber.OTHER;
    }

    private static ExactNumber exact(ColumnType type, String name) {
        Matcher decimal = DECIMAL.matcher(name);
        if (decimal.find()) {
            return decimal(decimal.group(1), decimal.group(2));
        }
        return !type.whole()
                ? LONG
                : name.matches("(tiny|small|medium)?int\\b.*") ? ExactNumber.INT : ExactNumber.WHOLE;
    }

    private static ExactNumber decimal(String precision, @Nullable String scale) {
        int fraction = scale == null ? 0 : Integer.parseInt(scale.strip());
        return ExactNumber.decimal(Math.max(0, Integer.parseInt(precision.strip()) - fraction), Math.max(0, fraction));
    }

    private ExactNumber of(Expr e) {
        work.spend(e.position());
        if (e instanceof Expr.Literal literal) {
            return literal(literal);
        }
        if (e instanceof Expr.Parameter parameter) {
            // One of JDBC is of whatever type the driver gives it.
            // A literal that was lifted out of the text shows by its kind what it is; its digits may differ from text
            // to text, so they are not counted.
            LiteralKind kind = work.arguments.kind(parameter.slot());
            return kind == null ? ExactNumber.OTHER : number(kind, LONG);
        }
        if (e instanceof Expr.Column column) {
            return column(column);
        }
        if (e instanceof Expr.Unary unary) {
            boolean isSign = unary.operator().equals("-") || unary.operator().equals("+");
            return isSign ? of(unary.operand()) : ExactNumber.OTHER;
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
        return isTruth(e) ? ExactNumber.TRUTH : ExactNumber.OTHER;
    }

    private ExactNumber literal(Expr.Literal literal) {
        String text = literal.text();
        int point = text.indexOf('.');
        int whole = point < 0 ? text.length() : point;
        return number(literal.kind(), ExactNumber.decimal(whole, point < 0 ? 0 : text.length() - point - 1));
    }

    /** What a literal of this kind is, with these digits. */
    private ExactNumber number(LiteralKind kind, ExactNumber digits) {
        return switch (kind) {
            case BOOLEAN, NULL -> ExactNumber.TRUTH;
            case INTEGER -> new ExactNumber(ExactNumber.Kind.WHOLE, digits.whole(), 0);
            case DECIMAL -> digits;
            case FLOAT -> work.dialect.has(DialectRule.EXPONENTS_ARE_DECIMAL) ? LONG : ExactNumber.OTHER;
            default -> ExactNumber.OTHER;
        };
    }

    private ExactNumber column(Expr.Column column) {
        List<Cell> cells = cells(column);
        // A whole row has several, and is no number.
        return cells.size() == 1 ? of(cells.get(0), work) : ExactNumber.OTHER;
    }

    private List<Cell> cells(Expr.Column column) {
        Scope scope = place.scope();
        if (scope == null
                || !scope.isClear(column.name(), work) && column.name().isSimple()) {
            return List.of();
        }
        return scope.resolve(column.name(), work).cells();
    }

    private ExactNumber binary(Expr.Binary binary) {
        ExactNumber left = of(binary.left());
        ExactNumber right = of(binary.right());
        return switch (binary.operator()) {
            case "+", "-" -> left.plus(right);
            case "*" -> left.times(right);
            case "%" -> left.restOf(right);
            case "DIV" -> left.wholeDividedBy(right);
            case "&", "|" -> left.isKnown() && right.isKnown() ? ExactNumber.WHOLE : ExactNumber.OTHER;
            // 5 / 2 is 2 to PostgreSQL and H2, 2.5000 to MariaDB.
            case "/" -> isWholeQuotient(left, right) ? ExactNumber.WHOLE : left.dividedBy(right);
            default -> ExactNumber.OTHER;
        };
    }

    /** To PostgreSQL; rounding it once more makes floating point of it. */
    private boolean isWholeQuotient(ExactNumber left, ExactNumber right) {
        return work.dialect == Dialect.POSTGRESQL
                && left.kind() == ExactNumber.Kind.WHOLE
                && right.kind() == ExactNumber.Kind.WHOLE;
    }

    private ExactNumber choice(Expr.Case choice) {
        List<Expr> results =
                new ArrayList<>(choice.whens().stream().map(Expr.When::result).toList());
        if (choice.otherwise() != null) {
            results.add(choice.otherwise());
        }
        return common(results);
    }

    private ExactNumber common(List<Expr> expressions) {
        return ExactNumber.common(expressions.stream().map(this::of).toList());
    }

    // By the names of the database's own types, without a schema: a domain called integer may be floating point
    // (SeventhAttackIT.aDomainIsNoNumberByItsName).
    private static ExactNumber cast(Expr.Cast cast) {
        String name = cast.type().name();
        if (cast.type().dimensions() > 0 || !cast.type().schema().isEmpty()) {
            return ExactNumber.OTHER;
        }
        if (WHOLE_TYPES.contains(name)) {
            return ExactNumber.WHOLE;
        }
        List<String> digits = cast.type().modifiers();
        boolean isCounted = digits.stream().allMatch(one -> one.matches("\\d{1,4}"));
        return !DECIMAL_TYPES.contains(name)
                ? ExactNumber.OTHER
                : !isCounted || digits.isEmpty()
                        ? LONG
                        : decimal(digits.get(0), digits.size() > 1 ? digits.get(1) : null);
    }

    private ExactNumber call(Expr.Call call) {
        String name = name(call);
        List<Expr> arguments = call.arguments();
        if (WHOLE_CALLS.contains(name)) {
            return ExactNumber.WHOLE;
        }
        if (arguments.isEmpty()) {
            return ExactNumber.OTHER;
        }
        if (CHOICES.contains(name)) {
            return common(arguments);
        }
        if (CONDITIONAL.contains(name)) {
            return common(arguments.subList(1, arguments.size()));
        }
        ExactNumber first = of(arguments.get(0));
        if (KEEPING.contains(name)) {
            return first;
        }
        if (OFFSETS.contains(name)) {
            return arguments.size() < 3 ? first : ExactNumber.common(List.of(first, of(arguments.get(2))));
        }
        if (ROUNDING.contains(name)) {
            // ROUND of an integer finds ROUND(double precision) there, not ROUND(numeric).
            boolean floats =
                    work.dialect.has(DialectRule.ROUNDED_WHOLE_NUMBERS_FLOAT) && first.kind() == ExactNumber.Kind.WHOLE;
            return floats ? ExactNumber.OTHER : first.rounded(arguments.size() < 2 ? 0 : digits(arguments.get(1)));
        }
        return switch (name) {
            case "length" -> hasWholeLength(arguments.get(0)) ? ExactNumber.WHOLE : ExactNumber.OTHER;
            // Of both: MOD(7, 2.5e0) is of floating point (SeventhAttackIT.noRestIsOfFloatingPoint).
            case "mod" -> arguments.size() == 2 ? first.restOf(of(arguments.get(1))) : ExactNumber.OTHER;
            case "sum" -> first.sum();
            // H2 makes floating point of an average.
            case "avg" -> work.dialect != Dialect.H2 && first.isKnown() ? first.average() : ExactNumber.OTHER;
            default -> ExactNumber.OTHER;
        };
    }

    private static int digits(Expr e) {
        boolean isKnown = e instanceof Expr.Literal literal && literal.text().matches("\\d{1,2}");
        return isKnown ? Integer.parseInt(((Expr.Literal) e).text()) : Integer.MAX_VALUE;
    }

    /**
     * Whether the length of this is surely none of a segment or a path, which is a distance. {@code SUM(length(x))} of
     * a column of type {@code path} would be a sum of floating point; only what is surely a text or bytes counts.
     */
    private boolean hasWholeLength(Expr e) {
        if (!work.dialect.has(DialectRule.LENGTH_MAY_BE_A_DISTANCE) || e instanceof Expr.Literal) {
            return true;
        }
        if (e instanceof Expr.Column column) {
            List<Cell> cells = cells(column);
            return !cells.isEmpty() && cells.stream().allMatch(this::isText);
        }
        if (e instanceof Expr.Cast cast) {
            return cast.type().schema().isEmpty() && TEXTS.contains(cast.type().name());
        }
        return e instanceof Expr.Binary binary && binary.operator().equals("||")
                || e instanceof Expr.Call call && TEXT_CALLS.contains(name(call));
    }

    private boolean isText(Cell cell) {
        Cell inner = cell instanceof Cell.Optional optional ? optional.cell() : cell;
        if (inner instanceof Cell.OfExpression expression) {
            return new ExactNumbers(work, expression.place()).hasWholeLength(expression.expression());
        }
        return inner instanceof Cell.OfRow row
                && LONG_KINDS.contains(
                        row.use().table().columns().get(row.column()).type().kind());
    }

    /** MariaDB's truth values are numbers; the others do not sum them up. */
    static boolean isTruth(Expr e) {
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

    private static String name(Expr.Call call) {
        return call.name().last().text().toLowerCase(Locale.ROOT);
    }
}
