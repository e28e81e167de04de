package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.normalize.Representation.Kind;
import io.leeway.privoxy.internal.normalize.Representation.Source;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the {@link Representation} of expressions: what is not surely of one form is of various ones.
 *
 * <p>It is asked only where rows are put together, sorted by what they show, or collected in an order
 * ({@link RowOrder}, {@link EqualValues}), which is why cells carry suppliers of it. Everything that is not looked at
 * is {@link Representation#VARIOUS}: it is refused there, with the remedy to cast it to one form.
 */
final class Representations {

    static final Set<String> WHOLE_TYPES = Set.of(
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
    static final Set<String> DECIMAL_TYPES = Set.of("numeric", "decimal", "dec");
    static final Set<String> FLOATING_TYPES = Set.of("float", "float4", "float8", "real", "double", "double precision");
    static final Set<String> TEXT_TYPES = Set.of("text", "varchar", "character varying", "clob");
    /** Elsewhere than in MariaDB texts of a fixed length, to which blanks are added that do not count. */
    static final Set<String> PADDED_TYPES = Set.of("char", "character", "nchar");

    private static final Set<String> DATE_TYPES = Set.of("date", "time", "timestamp", "datetime");

    // Equal values of these are identical and are written in one way, under a session's settings. Not interval (1 mon
    // and 30 days are equal), not numeric, not text under a collation, not timestamptz on H2.
    static final Set<String> SINGLE_TYPES = Set.of(
            "boolean",
            "bool",
            "date",
            "time",
            "time without time zone",
            "timestamp",
            "timestamp without time zone",
            "datetime",
            "uuid",
            "bytea",
            "binary",
            "varbinary",
            "inet",
            "cidr");
    static final Set<String> ZONED_TYPES =
            Set.of("timestamptz", "timestamp with time zone", "timetz", "time with time zone");
    // DISTINCT and ORDER BY of these fail on PostgreSQL, so rows can be sorted by them as text only.
    static final Set<String> UNORDERED_TYPES =
            Set.of("json", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle", "xid", "cid");
    private static final Set<ValueKind> DATES = EnumSet.of(ValueKind.DATE, ValueKind.TIME, ValueKind.TIMESTAMP);

    private static final Pattern DECIMAL = Pattern.compile("^(?:decimal|numeric)\\(\\d+(?:,\\s*(-?\\d+))?\\)");

    private final Work work;
    private final Place place;

    Representations(Work work, Place place) {
        this.work = work;
        this.place = place;
    }

    // --- columns -----------------------------------------------------------------------------------------------------

    static Representation of(Cell cell, Work work) {
        if (cell instanceof Cell.OfRow row) {
            Table table = row.use().table();
            Column column = table.columns().get(row.column());
            return of(new Source(table.name(), column.name(), column.type()), work.dialect);
        }
        if (cell instanceof Cell.Optional optional) {
            return of(optional.cell(), work);
        }
        if (cell instanceof Cell.OfExpression expression) {
            return new Representations(work, expression.place()).of(expression.expression());
        }
        if (cell instanceof Cell.FirstNonNull first) {
            return of(first.left(), work).with(of(first.right(), work), work.dialect);
        }
        return ((Cell.Revealed) cell).representation();
    }

    private static Representation of(Source source, Dialect dialect) {
        ColumnType type = source.type();
        String name = type.nameInDatabase().toLowerCase(Locale.ROOT);
        if (type.kind() == ValueKind.NUMBER && type.hasExactEquality()) {
            Matcher decimal = DECIMAL.matcher(name);
            boolean isDecimal = name.startsWith("numeric") || name.startsWith("decimal");
            // A NUMERIC without a scale is no type of exact equality here: it stores 1.0 and 1.00 as they come.
            String scale = decimal.find() ? decimal.group(1) : null;
            if (isDecimal) {
                return decimal(scale == null ? 0 : Integer.parseInt(scale), dialect);
            }
            // A domain over a decimal has a name of its own, and a scale that is not told here.
            return type.whole() ? Representation.WHOLE : Representation.stored(source);
        }
        // 0 and -0 are equal and look different, and a column may store both.
        if (FLOATING_TYPES.contains(name)) {
            return Representation.FLOATING;
        }
        if (dialect.has(DialectRule.HAS_TYPES_WITHOUT_ORDER) && UNORDERED_TYPES.contains(name.replace("[]", ""))) {
            return Representation.UNORDERED;
        }
        // Two moments of the hour that comes twice look the same.
        if (dialect.has(DialectRule.MOMENTS_LOOK_ALIKE) && DATES.contains(type.kind())) {
            return Representation.PLAIN;
        }
        return type.hasExactEquality() ? Representation.SINGLE : Representation.stored(source);
    }

    /** MariaDB gives all numbers of a column one scale. */
    private static Representation decimal(int scale, Dialect dialect) {
        return Representation.decimal(dialect.has(DialectRule.COLUMNS_HAVE_ONE_SCALE) ? 0 : Math.max(0, scale));
    }

    // --- queries -----------------------------------------------------------------------------------------------------

    /** The columns of a query. */
    static List<Representation> of(QueryBody body, Place place, Absence absence, Work work) {
        if (body instanceof QueryBody.SetOperation operation) {
            List<Representation> left = of(operation.left(), place, absence, work);
            List<Representation> right = of(operation.right(), place, absence, work);
            List<Representation> both = new ArrayList<>();
            for (int i = 0; i < left.size(); i++) {
                // For EXCEPT and INTERSECT as well, which show rows of one side: that is cautious.
                both.add(i < right.size() ? left.get(i).below(right.get(i), work.dialect) : Representation.VARIOUS);
            }
            return both;
        }
        if (body instanceof QueryBody.Nested nested) {
            Query query = nested.query();
            return of(query.body(), CommonTables.enter(query.with(), place), absence, work);
        }
        QueryBody.Select select = InlineReader.select(body);
        if (select == null) {
            return values((QueryBody.Values) body, place, work);
        }
        From from = new FromReader(work, absence).readAll(select.from(), place).get(0);
        Place inside = place.within(from.scope(place.scope()));
        return new SelectColumns(work, inside)
                .of(select.items()).stream()
                        .map(column -> of(column.cell(), work))
                        .toList();
    }

    private static List<Representation> values(QueryBody.Values values, Place place, Work work) {
        var reader = new Representations(work, place);
        List<Representation> columns = new ArrayList<>();
        for (int i = 0; i < values.rows().get(0).size(); i++) {
            int column = i;
            columns.add(reader.common(values.rows().stream()
                    .filter(row -> row.size() > column)
                    .map(row -> row.get(column))
                    .toList()));
        }
        return columns;
    }

    // --- expressions -------------------------------------------------------------------------------------------------

    Representation of(Expr e) {
        work.spend(e.position());
        Representation form = read(e);
        // Whatever made it: a collation without cases that any argument brings in takes different texts for equal
        // (OneFormIT.nothingIsShownOfWhatAnotherEqualityTakesTogether).
        boolean isText = form.is(Kind.SINGLE) || form.is(Kind.TEXT);
        return isText && new Collations(work, place).takeForEqual(e) ? Representation.VARIOUS : form;
    }

    private Representation read(Expr e) {
        if (e instanceof Expr.Literal literal) {
            return literal(literal);
        }
        if (e instanceof Expr.Parameter parameter) {
            // One of JDBC is of whatever form the driver gives it.
            boolean isWhole = work.arguments.kind(parameter.slot()) == LiteralKind.INTEGER;
            return isWhole ? Representation.WHOLE : Representation.VARIOUS;
        }
        if (e instanceof Expr.Column column) {
            List<Cell> cells = cells(column);
            return cells.size() == 1 ? of(cells.get(0), work) : Representation.VARIOUS;
        }
        if (e instanceof Expr.Unary unary) {
            return unary(unary);
        }
        if (e instanceof Expr.Binary binary) {
            return binary(binary);
        }
        if (e instanceof Expr.Case choice) {
            List<Expr> results = new ArrayList<>(
                    choice.whens().stream().map(Expr.When::result).toList());
            if (choice.otherwise() != null) {
                results.add(choice.otherwise());
            }
            return common(results);
        }
        if (e instanceof Expr.Cast cast) {
            return cast(cast);
        }
        if (e instanceof Expr.Call call) {
            return new CallRepresentations(work, this).of(call);
        }
        if (e instanceof Expr.Collate collate) {
            return collate(collate);
        }
        if (e instanceof Expr.Scalar scalar) {
            Query query = scalar.query();
            return of(query.body(), CommonTables.enter(query.with(), place), Absence.NONE, work)
                    .get(0);
        }
        return other(e);
    }

    private Representation other(Expr e) {
        if (ExactNumbers.isTruth(e)) {
            return work.dialect.has(DialectRule.TRUTH_IS_A_NUMBER) ? Representation.WHOLE : Representation.SINGLE;
        }
        if (e instanceof Expr.AtTimeZone) {
            return work.dialect.has(DialectRule.MOMENTS_SHOW_THEIR_ZONE)
                    ? Representation.VARIOUS
                    : Representation.SINGLE;
        }
        if (e instanceof Expr.CharsetString string) {
            // Of bytes it makes text.
            boolean isText = string.value().kind() == LiteralKind.STRING;
            return isText ? literal(string.value()) : Representation.VARIOUS;
        }
        return e instanceof Expr.SequenceValue ? Representation.WHOLE : Representation.VARIOUS;
    }

    /** The elements of a list. */
    Representation elements(Expr list, Representation of) {
        if (list instanceof Expr.ArrayOf array) {
            return common(array.values());
        }
        if (list instanceof Expr.Cast cast && cast.type().schema().isEmpty()) {
            String name = cast.type().name();
            return WHOLE_TYPES.contains(name)
                    ? Representation.WHOLE
                    : TEXT_TYPES.contains(name) || SINGLE_TYPES.contains(name)
                            ? Representation.SINGLE
                            : Representation.VARIOUS;
        }
        return of.is(Kind.SINGLE) || of.is(Kind.STORED) ? of : Representation.VARIOUS;
    }

    Representation common(List<Expr> expressions) {
        return Representation.common(expressions.stream().map(this::of).toList(), work.dialect);
    }

    private List<Cell> cells(Expr.Column column) {
        return cells(column, place, work);
    }

    static List<Cell> cells(Expr.Column column, Place place, Work work) {
        Scope scope = place.scope();
        if (scope == null
                || !scope.isClear(column.name(), work) && column.name().isSimple()) {
            return List.of();
        }
        return scope.resolve(column.name(), work).cells();
    }

    private Representation literal(Expr.Literal literal) {
        String text = literal.text();
        return switch (literal.kind()) {
            case NULL -> Representation.NOTHING;
            // 7 and 07 are written alike once they are numbers. What is too long for a whole number is a decimal one,
            // whose
            // quotients have digits behind the point.
            case INTEGER ->
                text.length() > Expr.Literal.SURELY_WHOLE ? Representation.decimal(0) : Representation.WHOLE;
            case DECIMAL -> decimal(text.length() - text.indexOf('.') - 1, work.dialect);
            case FLOAT ->
                work.dialect.has(DialectRule.EXPONENTS_ARE_DECIMAL) ? Representation.VARIOUS : Representation.FLOATING;
            case STRING, NATIONAL_STRING -> Representation.text(text);
            case BOOLEAN ->
                work.dialect.has(DialectRule.TRUTH_IS_A_NUMBER) ? Representation.WHOLE : Representation.SINGLE;
            case DATE, TIME, TIMESTAMP -> date();
            case HEX, BIT -> Representation.SINGLE;
            case TIME_TZ, TIMESTAMP_TZ ->
                work.dialect.has(DialectRule.MOMENTS_SHOW_THEIR_ZONE) ? Representation.VARIOUS : Representation.SINGLE;
            case HEX_NUMBER -> Representation.VARIOUS;
        };
    }

    private Representation unary(Expr.Unary unary) {
        Representation of = of(unary.operand());
        return switch (unary.operator()) {
            case "+", "-" -> of.isNumber() ? of : Representation.VARIOUS;
            case "~" -> of.is(Kind.WHOLE) ? of : Representation.VARIOUS;
            // MariaDB compares bytes then, and equal bytes look alike.
            case "BINARY" -> Representation.SINGLE;
            default -> Representation.VARIOUS;
        };
    }

    private Representation binary(Expr.Binary binary) {
        Representation left = of(binary.left());
        Representation right = of(binary.right());
        return switch (binary.operator()) {
            case "+" ->
                isShifted(left, binary.right(), right) || isShifted(right, binary.left(), left)
                        ? date()
                        : added(left, right);
            case "-" -> isShifted(left, binary.right(), right) ? left : added(left, right);
            case "*" -> times(binary, left, right);
            case "/" -> dividedBy(left, right);
            case "%" -> rest(left, right);
            case "DIV", "&", "|", "#", "<<", ">>" -> areBoth(left, right, Kind.WHOLE);
            case "||" -> joined(left, right);
            // Of json it is json; of jsonb a document whose numbers may have several scales.
            case "->", "#>" -> left.is(Kind.UNORDERED) ? left : Representation.VARIOUS;
            case "->>", "#>>" -> Representation.SINGLE;
            default -> Representation.VARIOUS;
        };
    }

    private static Representation areBoth(Representation left, Representation right, Kind kind) {
        return left.is(kind) && right.is(kind) ? left : Representation.VARIOUS;
    }

    /**
     * Whether this is a date, or the like, and so many days or hours. What a date less a date is, is an interval to
     * most.
     */
    private boolean isShifted(Representation date, Expr by, Representation shift) {
        boolean isInterval = by instanceof Expr.Interval
                || by instanceof Expr.Cast cast && cast.type().name().equalsIgnoreCase("interval");
        boolean isDays = work.dialect == Dialect.POSTGRESQL && shift.is(Kind.WHOLE);
        return (date.is(Kind.SINGLE) || date.is(Kind.PLAIN)) && (isInterval || isDays);
    }

    private Representation date() {
        return work.dialect.has(DialectRule.MOMENTS_LOOK_ALIKE) ? Representation.PLAIN : Representation.SINGLE;
    }

    /** Of a sum a zero gets a sign only from one that has one. */
    private Representation added(Representation left, Representation right) {
        if (left.is(Kind.WHOLE) && right.is(Kind.WHOLE)) {
            return left;
        }
        if (left.isNumber() && right.isNumber()) {
            return Representation.decimal(Math.max(left.scale(), right.scale()));
        }
        boolean isFloating = left.is(Kind.FLOATING) && (right.isNumber() || right.is(Kind.FLOATING))
                || right.is(Kind.FLOATING) && left.isNumber();
        return isFloating && !work.dialect.has(DialectRule.FLOATING_WITH_DECIMAL_IS_DECIMAL)
                ? Representation.FLOATING
                : Representation.VARIOUS;
    }

    private Representation times(Expr.Binary binary, Representation left, Representation right) {
        if (left.is(Kind.WHOLE) && right.is(Kind.WHOLE)) {
            return left;
        }
        if (left.isNumber() && right.isNumber()) {
            // As the databases do it: 1.0 * 2.00 is 2.000.
            return Representation.decimal(left.scale() + right.scale());
        }
        boolean isScaled = left.is(Kind.FLOATING) && isAtLeastOne(binary.right())
                || right.is(Kind.FLOATING) && isAtLeastOne(binary.left());
        return isScaled && !work.dialect.has(DialectRule.FLOATING_WITH_DECIMAL_IS_DECIMAL)
                ? Representation.FLOATING
                : Representation.VARIOUS;
    }

    /**
     * What keeps the sign of a number, and makes no zero of it.
     *
     * <p>A factor below one makes zero of what is small, with the sign of the number; one below nothing turns the sign
     * of zero.
     */
    private static boolean isAtLeastOne(Expr e) {
        return e instanceof Expr.Literal literal
                && (literal.kind() == LiteralKind.INTEGER || literal.kind() == LiteralKind.DECIMAL)
                && literal.text().matches("0*[1-9].*");
    }

    private Representation dividedBy(Representation left, Representation right) {
        // Elsewhere a quotient has as many digits as its value takes.
        if (work.dialect.has(DialectRule.COLUMNS_HAVE_ONE_SCALE)) {
            return left.isNumber() && right.isNumber() ? Representation.decimal(0) : Representation.VARIOUS;
        }
        return areBoth(left, right, Kind.WHOLE);
    }

    Representation rest(Representation left, Representation right) {
        if (work.dialect == Dialect.H2) {
            return areBoth(left, right, Kind.WHOLE);
        }
        return left.isNumber() && right.isNumber() ? added(left, right) : Representation.VARIOUS;
    }

    /** To PostgreSQL {@code ||} also joins lists and documents. */
    private Representation joined(Representation left, Representation right) {
        if (work.dialect == Dialect.MARIADB) {
            return CallRepresentations.joined(List.of(left, right));
        }
        // Two lists make a list, whose elements look as they do there.
        if (mayBeList(left) || mayBeList(right)) {
            return Representation.VARIOUS;
        }
        boolean isText = left.is(Kind.SINGLE)
                || right.is(Kind.SINGLE)
                || left.is(Kind.TEXT) && right.is(Kind.TEXT)
                || work.dialect == Dialect.H2;
        return isText ? Representation.SINGLE : Representation.VARIOUS;
    }

    private static boolean mayBeList(Representation of) {
        return of.is(Kind.VARIOUS)
                || of.is(Kind.SEVERAL)
                || of.source() != null && of.source().type().isList();
    }

    private Representation collate(Expr.Collate collate) {
        boolean isIdentity = work.dialect == Dialect.MARIADB
                // Other binary collations leave out blanks at the end.
                ? collate.collation().last().text().toLowerCase(Locale.ROOT).endsWith("_nopad_bin")
                : Collations.isDeterministic(collate.collation());
        return isIdentity ? Representation.SINGLE : Representation.VARIOUS;
    }

    private Representation cast(Expr.Cast cast) {
        String name = cast.type().name().toLowerCase(Locale.ROOT);
        Representation of = of(cast.operand());
        if (cast.type().dimensions() > 0 || !cast.type().schema().isEmpty()) {
            return Representation.VARIOUS;
        }
        if (WHOLE_TYPES.contains(name)) {
            return Representation.WHOLE;
        }
        if (DECIMAL_TYPES.contains(name)) {
            return decimal(cast, of);
        }
        if (FLOATING_TYPES.contains(name)) {
            return of.isNumber() || of.is(Kind.FLOATING) ? Representation.FLOATING : Representation.VARIOUS;
        }
        if (TEXT_TYPES.contains(name) || PADDED_TYPES.contains(name) && work.dialect == Dialect.MARIADB) {
            return work.dialect == Dialect.MARIADB ? text(cast, of) : Representation.SINGLE;
        }
        if (UNORDERED_TYPES.contains(name) && work.dialect.has(DialectRule.HAS_TYPES_WITHOUT_ORDER)) {
            return Representation.UNORDERED;
        }
        if (DATE_TYPES.contains(name)) {
            return date();
        }
        boolean isZoned = ZONED_TYPES.contains(name) && work.dialect == Dialect.POSTGRESQL;
        return SINGLE_TYPES.contains(name) || isZoned ? Representation.SINGLE : Representation.VARIOUS;
    }

    private Representation decimal(Expr.Cast cast, Representation of) {
        List<String> digits = cast.type().modifiers();
        // A cast to NUMERIC without a scale leaves each value its own.
        if (digits.isEmpty() && work.dialect == Dialect.POSTGRESQL) {
            return of.isNumber() ? Representation.decimal(of.scale()) : Representation.VARIOUS;
        }
        String scale = digits.size() > 1 ? digits.get(1).strip() : "0";
        return scale.matches("\\d{1,4}") ? decimal(Integer.parseInt(scale), work.dialect) : Representation.VARIOUS;
    }

    /**
     * MariaDB's text of a number or a date has no letters; other text gets the connection's collation, which may take
     * more for equal than that of a column whose collation tells letters apart.
     */
    private static Representation text(Expr.Cast cast, Representation of) {
        boolean isCut = !cast.type().modifiers().isEmpty();
        if (of.isPlain()) {
            return isCut ? Representation.FIXED : Representation.PLAIN;
        }
        if (of.is(Kind.STORED) || of.is(Kind.DERIVED) || of.is(Kind.FIXED)) {
            return CallRepresentations.derived(of, of.is(Kind.FIXED), true);
        }
        return of.is(Kind.TEXT) && !isCut || of.is(Kind.NOTHING) ? of : Representation.VARIOUS;
    }
}
