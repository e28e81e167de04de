package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.normalize.Representation.Kind;
import io.leeway.privoxy.internal.normalize.Representation.Source;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Representation} of what functions give.
 *
 * <p>Lists of what is known, by database: a function that is on none is {@link Representation#VARIOUS}.
 * {@code EqualValuesIT} and {@code OneFormIT} name what went wrong where one was on the wrong list.
 */
final class CallRepresentations {

    /**
     * Each argument may be the result. Which of the arguments comes out may differ from row to row, so all of them have
     * to be of one form.
     */
    private static final Set<String> CHOICES = Set.of("coalesce", "ifnull", "nvl", "greatest", "least");
    /** The same, but for the first one, which is a condition. */
    private static final Set<String> CONDITIONAL = Set.of("if", "nvl2", "casewhen");

    private static final Set<String> KEEPING =
            Set.of("min", "max", "any_value", "first_value", "last_value", "nth_value", "bit_and", "bit_or", "bit_xor");
    private static final Set<String> OFFSETS = Set.of("lag", "lead");
    private static final Set<String> ROUNDING = Set.of("round", "trunc", "truncate");
    private static final Set<String> WHOLE_ROUNDING = Set.of("floor", "ceil", "ceiling", "sign");
    /**
     * Aggregates of which the result is one of the values that they are ordered by. Of MODE() WITHIN GROUP (ORDER BY x)
     * one of several equal x is shown.
     */
    private static final Set<String> OF_ORDER = Set.of("mode", "percentile_disc");
    /** The same texts of the same texts, and no others than before of those that are equal. */
    private static final Set<String> SAME_TEXT =
            Set.of("lower", "upper", "lcase", "ucase", "trim", "ltrim", "rtrim", "btrim");

    // Two texts that are equal as a whole have equal parts, but equal parts can be of texts that are not.
    private static final Set<String> PARTS = Set.of("left", "right", "substr", "substring", "mid");
    private static final Set<String> JOINING = Set.of("concat", "concat_ws");

    /** Whole numbers, beside those that {@link ExactNumbers} knows. */
    private static final Set<String> WHOLE = Set.of(
            "nextval",
            "date_diff",
            "day_of_month",
            "day_of_week",
            "day_of_year",
            "iso_year",
            "iso_week",
            "iso_day_of_week",
            "weekday",
            "weekofyear",
            "yearweek",
            "to_days",
            "to_seconds",
            "crc32",
            "find_in_set",
            "strcmp",
            "field",
            "num_nulls",
            "num_nonnulls",
            "masklen",
            "family",
            "int2",
            "int4",
            "int8",
            "scale",
            "min_scale",
            "width_bucket",
            "regexp_count",
            "regexp_instr");
    /** Numbers of floating point that are never less than nothing. */
    private static final Set<String> POSITIVE =
            Set.of("similarity", "ts_rank", "ts_rank_cd", "cume_dist", "percent_rank");
    /** What is surely a date, a truth value or the like, in all databases. */
    private static final Set<String> SINGLE = Set.of(
            "now",
            "current_timestamp",
            "current_date",
            "current_time",
            "localtime",
            "localtimestamp",
            "transaction_timestamp",
            "statement_timestamp",
            "curdate",
            "curtime",
            "utc_date",
            "utc_time",
            "utc_timestamp",
            "to_date",
            "date",
            "last_day",
            "every",
            "bool_and",
            "bool_or",
            "gen_random_uuid",
            "random_uuid",
            "uuid");
    /** Texts in which all letters are of one case; on MariaDB those of the other case may be equal. */
    private static final Set<String> ONE_CASE = Set.of("hex", "md5", "sha1", "sha2", "to_hex");
    /** Ranges of whole numbers and days, of which PostgreSQL writes equal ones in one way, and of moments. */
    private static final Set<String> RANGES = Set.of("int4range", "int8range", "daterange", "tsrange", "tstzrange");
    /** PostgreSQL's functions that give text, dates or truth values, whatever they are given. */
    private static final Set<String> POSTGRES_SINGLE = Set.of(
            "concat",
            "concat_ws",
            "substring",
            "substr",
            "left",
            "right",
            "trim",
            "ltrim",
            "rtrim",
            "btrim",
            "lpad",
            "rpad",
            "replace",
            "reverse",
            "repeat",
            "translate",
            "overlay",
            "initcap",
            "split_part",
            "encode",
            "decode",
            "chr",
            "quote_literal",
            "quote_nullable",
            "quote_ident",
            "starts_with",
            "regexp_replace",
            "regexp_substr",
            "regexp_like",
            "format",
            "to_char",
            "to_timestamp",
            "date_bin",
            "make_date",
            "make_time",
            "make_timestamp",
            "make_timestamptz",
            "timestamp",
            "timestamptz",
            "timezone",
            "isfinite",
            "bool",
            "text",
            "host",
            "network",
            "abbrev",
            "broadcast",
            "netmask",
            "hostmask",
            "array_to_string",
            "json_extract_path_text",
            "jsonb_extract_path_text",
            "json_typeof",
            "jsonb_typeof",
            "jsonb_pretty",
            "jsonb_path_exists",
            "jsonb_path_match",
            "json_exists",
            "string_agg",
            "pg_typeof",
            "sha224",
            "sha256",
            "sha384",
            "sha512",
            "normalize",
            "unaccent",
            "convert_from",
            "string_to_array",
            "regexp_match",
            "regexp_matches",
            "regexp_split_to_array",
            "regexp_split_to_table",
            "string_to_table",
            "json_array_elements_text",
            "jsonb_array_elements_text",
            "json_object_keys",
            "jsonb_object_keys");

    private static final Set<String> POSTGRES_UNORDERED = Set.of(
            "to_json",
            "row_to_json",
            "array_to_json",
            "json_build_object",
            "json_build_array",
            "json_object",
            "json_agg",
            "json_object_agg",
            "json_arrayagg",
            "json_objectagg",
            "json_strip_nulls",
            "json_extract_path",
            "json_array_elements",
            "xmlagg");
    /** MariaDB's functions that give dates, or their text. */
    private static final Set<String> MARIADB_DATES = Set.of(
            "now",
            "current_timestamp",
            "current_date",
            "current_time",
            "localtime",
            "localtimestamp",
            "curdate",
            "curtime",
            "utc_date",
            "utc_time",
            "utc_timestamp",
            "to_date",
            "date",
            "last_day",
            "time",
            "timestamp",
            "date_add",
            "date_sub",
            "adddate",
            "subdate",
            "addtime",
            "subtime",
            "timediff",
            "timestampadd",
            "from_days",
            "sec_to_time",
            "makedate",
            "maketime",
            "convert_tz",
            "str_to_date",
            "inet_ntoa");

    // Texts with letters, of which each function writes one value in one way.
    private static final Set<String> MARIADB_FIXED = Set.of("uuid", "monthname", "dayname", "inet6_ntoa");
    /** With a form in the text, all that they give is in it. */
    private static final Set<String> FORMATS =
            Set.of("date_format", "time_format", "format", "to_char", "from_unixtime");

    private static final Set<String> DOCUMENTS = Set.of("json_value", "json_extract");
    /** H2's functions that give decimal numbers, moments with their zone, or lists of these. */
    private static final Set<String> H2_VARIOUS = Set.of(
            "abs",
            "avg",
            "median",
            "percentile_cont",
            "power",
            "sqrt",
            "exp",
            "ln",
            "log",
            "log10",
            "mod",
            "to_timestamp",
            "parsedatetime",
            "systimestamp",
            "convert",
            "decode",
            "array_agg",
            "array_append",
            "array_cat",
            "array_slice",
            "array_get",
            "trim_array",
            "unnest",
            "json_object",
            "json_array",
            "json_arrayagg",
            "json_objectagg");
    /** What H2 shifts or cuts a date by, which is their last argument. */
    private static final Set<String> H2_SHIFTS = Set.of("dateadd", "timestampadd", "date_trunc");

    private final Work work;
    private final Representations reader;

    CallRepresentations(Work work, Representations reader) {
        this.work = work;
        this.reader = reader;
    }

    Representation of(Expr.Call call) {
        String name = call.name().last().text().toLowerCase(Locale.ROOT);
        FunctionKind kind = work.kind(call.name());
        List<Expr> arguments = call.arguments();
        // Of a function that the operator allows nothing is known but that it may be called.
        if (kind == null || kind == FunctionKind.ALLOWED) {
            return Representation.VARIOUS;
        }
        if (OF_ORDER.contains(name)) {
            return order(call);
        }
        if (name.equals("count") || WHOLE.contains(name) || ExactNumbers.WHOLE_CALLS.contains(name)) {
            return Representation.WHOLE;
        }
        if (work.dialect == Dialect.MARIADB) {
            if (MARIADB_DATES.contains(name)) {
                return Representation.PLAIN;
            }
            if (ONE_CASE.contains(name) || MARIADB_FIXED.contains(name)) {
                return Representation.FIXED;
            }
        }
        if (SINGLE.contains(name) || ONE_CASE.contains(name)) {
            return Representation.SINGLE;
        }
        // Never less than nothing, so a zero of theirs has no sign.
        if (POSITIVE.contains(name)) {
            return Representation.FLOATING;
        }
        if (POSTGRES_UNORDERED.contains(name) && work.dialect.has(DialectRule.HAS_TYPES_WITHOUT_ORDER)) {
            return Representation.UNORDERED;
        }
        if (arguments.isEmpty()) {
            return Representation.VARIOUS;
        }
        if (CHOICES.contains(name)) {
            return reader.common(arguments);
        }
        if (CONDITIONAL.contains(name)) {
            return reader.common(arguments.subList(1, arguments.size()));
        }
        return number(name, arguments);
    }

    private Representation order(Expr.Call call) {
        List<Expr> keys = new ArrayList<>(call.arguments());
        if (call.aggregation() != null) {
            call.aggregation().withinGroup().stream().map(OrderItem::key).forEach(keys::add);
        }
        // Of percentile_disc the argument is a fraction; what is shown is what it orders by.
        return keys.isEmpty() ? Representation.VARIOUS : reader.of(keys.get(keys.size() - 1));
    }

    private Representation number(String name, List<Expr> arguments) {
        Representation first = reader.of(arguments.get(0));
        if (KEEPING.contains(name)) {
            return first;
        }
        if (name.equals("nullif")) {
            // PostgreSQL gives it the type by which the two are compared.
            boolean isWhole =
                    !first.is(Kind.WHOLE) || reader.of(arguments.get(1)).is(Kind.WHOLE);
            return isWhole ? first : Representation.decimal(0);
        }
        if (OFFSETS.contains(name)) {
            return arguments.size() < 3 ? first : first.with(reader.of(arguments.get(2)), work.dialect);
        }
        if (ROUNDING.contains(name)) {
            return rounded(arguments, first);
        }
        if (WHOLE_ROUNDING.contains(name) && first.isNumber()) {
            return floating(first, Representation.decimal(0));
        }
        return switch (name) {
            case "length" -> length(first);
            // It takes a sign away, and adds none.
            case "abs" -> first.isNumber() || first.is(Kind.FLOATING) ? first : Representation.VARIOUS;
            case "mod" ->
                arguments.size() == 2 ? reader.rest(first, reader.of(arguments.get(1))) : Representation.VARIOUS;
            case "sum" -> first.isNumber() ? Representation.decimal(first.scale()) : plain(first);
            case "avg" -> average(first);
            case "extract", "date_part" -> extracted(name, arguments);
            case "generate_series", "system_range" -> series(arguments, first);
            case "unnest" -> reader.elements(arguments.get(0), first);
            default -> text(name, arguments, first);
        };
    }

    /** Of PostgreSQL's segments and paths it is a distance. */
    private Representation length(Representation first) {
        boolean isText = first.is(Kind.SINGLE) || first.is(Kind.TEXT);
        return isText || !work.dialect.has(DialectRule.LENGTH_MAY_BE_A_DISTANCE)
                ? Representation.WHOLE
                : Representation.FLOATING;
    }

    /** To PostgreSQL to round a whole number is to make it floating point, without a sign for zero. */
    private Representation floating(Representation first, Representation result) {
        return first.is(Kind.WHOLE) && work.dialect.has(DialectRule.ROUNDED_WHOLE_NUMBERS_FLOAT)
                ? Representation.FLOATING
                : result;
    }

    /** The sum of floating point has no zero with a sign, if there was none. */
    private static Representation plain(Representation first) {
        return first.is(Kind.FLOATING) ? first : Representation.VARIOUS;
    }

    private Representation average(Representation first) {
        return first.isNumber() && work.dialect.has(DialectRule.COLUMNS_HAVE_ONE_SCALE)
                ? Representation.decimal(0)
                : plain(first);
    }

    private Representation rounded(List<Expr> arguments, Representation first) {
        if (arguments.size() < 2) {
            return first.isNumber() ? floating(first, Representation.decimal(0)) : Representation.VARIOUS;
        }
        boolean isCounted = arguments.get(1) instanceof Expr.Literal literal
                && literal.kind() == LiteralKind.INTEGER
                && literal.text().length() < 4;
        // To how many digits has to be known, and to H2 it says no scale.
        if (!isCounted || work.dialect == Dialect.H2) {
            return Representation.VARIOUS;
        }
        if (work.dialect.has(DialectRule.COLUMNS_HAVE_ONE_SCALE)) {
            return first.isNumber() ? Representation.decimal(0) : Representation.VARIOUS;
        }
        // Only decimal numbers are rounded so.
        return Representation.decimal(Integer.parseInt(((Expr.Literal) arguments.get(1)).text()));
    }

    /** Of dates the step is an interval, otherwise all are numbers. */
    private Representation series(List<Expr> arguments, Representation first) {
        boolean isOne = first.is(Kind.SINGLE)
                || arguments.stream().allMatch(one -> reader.of(one).is(Kind.WHOLE));
        return isOne ? first : Representation.VARIOUS;
    }

    private Representation extracted(String name, List<Expr> arguments) {
        Expr field = arguments.get(0);
        String word = field instanceof Expr.Keyword keyword
                ? keyword.word().toLowerCase(Locale.ROOT)
                : field instanceof Expr.Literal literal ? literal.text().toLowerCase(Locale.ROOT) : "";
        if (work.dialect == Dialect.H2 && (word.isEmpty() || word.equals("epoch"))) {
            // Seconds with as many digits behind the point as the moment has.
            return Representation.VARIOUS;
        }
        if (work.dialect != Dialect.POSTGRESQL) {
            return Representation.WHOLE;
        }
        if (name.equals("date_part")) {
            return word.isEmpty() || word.startsWith("timezone") ? Representation.VARIOUS : Representation.FLOATING;
        }
        return switch (word) {
            case "", "julian" -> Representation.VARIOUS;
            // Of a date it has no digits behind the point.
            case "epoch" -> Representation.FIXED;
            // EXTRACT gives numeric on PostgreSQL, with as many digits as the unit has in a microsecond.
            case "second", "seconds" -> Representation.decimal(6);
            case "millisecond", "milliseconds" -> Representation.decimal(3);
            default -> Representation.decimal(0);
        };
    }

    /** Of an interval it is one. */
    private Representation truncated(List<Expr> arguments) {
        boolean isDate = arguments.size() > 1 && reader.of(arguments.get(1)).is(Kind.SINGLE);
        return isDate ? Representation.SINGLE : Representation.VARIOUS;
    }

    private Representation text(String name, List<Expr> arguments, Representation first) {
        return switch (work.dialect) {
            case POSTGRESQL -> name.equals("date_trunc") ? truncated(arguments) : postgres(name, first);
            case H2 -> H2_SHIFTS.contains(name) ? reader.of(arguments.get(arguments.size() - 1)) : h2(name);
            case MARIADB -> mariaDb(name, arguments, first);
        };
    }

    /** {@code lower} and {@code upper} are also those of a range. */
    private static Representation postgres(String name, Representation first) {
        if (name.equals("lower") || name.equals("upper")) {
            return first.is(Kind.TEXT) ? Representation.SINGLE : first.is(Kind.STORED) ? Representation.DERIVED : first;
        }
        boolean isOne = POSTGRES_SINGLE.contains(name) || RANGES.contains(name);
        return isOne ? Representation.SINGLE : Representation.VARIOUS;
    }

    private Representation h2(String name) {
        FunctionKind kind = work.functions.kind(name);
        boolean isOther = H2_VARIOUS.contains(name)
                || kind == FunctionKind.ROWS
                || kind == FunctionKind.AGGREGATE && !name.endsWith("agg");
        return isOther ? Representation.VARIOUS : Representation.SINGLE;
    }

    private Representation mariaDb(String name, List<Expr> arguments, Representation first) {
        if (name.equals("unhex")) {
            return Representation.SINGLE;
        }
        if (JOINING.contains(name)) {
            return name.equals("concat")
                    ? joined(arguments.stream().map(reader::of).toList())
                    : separated(arguments);
        }
        List<Expr> further = arguments.subList(1, arguments.size());
        if (!further.stream().allMatch(CallRepresentations::isConstant)) {
            return Representation.VARIOUS;
        }
        if (FORMATS.contains(name)) {
            return first.is(Kind.VARIOUS) ? first : Representation.FIXED;
        }
        if (SAME_TEXT.contains(name)) {
            return derived(first, !name.endsWith("trim"), false);
        }
        boolean isPart = PARTS.contains(name) && first.texts().isEmpty();
        return isPart || DOCUMENTS.contains(name) ? derived(first, false, false) : Representation.VARIOUS;
    }

    /**
     * Of a choice of literals each may become the same as another.
     *
     * <p>{@code upper} makes one of two literals that a CASE chose from; and a cast to text of a column whose collation
     * tells letters apart is compared by the connection's, which may not.
     */
    static Representation derived(Representation of, boolean isFixed, boolean isCast) {
        boolean isCoarser = isCast && of.source() != null && isSensitive(of.source());
        if (of.is(Kind.SINGLE) || of.texts().size() > 1 || !of.isOne() || isCoarser) {
            return Representation.VARIOUS;
        }
        boolean isStored = of.is(Kind.STORED) || of.is(Kind.DERIVED);
        return of.made(isStored && !isFixed ? Kind.DERIVED : Kind.FIXED);
    }

    /**
     * Whether a collation tells letters apart that the connection's may not.
     *
     * <p>By the ending of its name, which says so by MariaDB's convention.
     */
    private static boolean isSensitive(@Nullable Source source) {
        if (source == null) {
            return false;
        }
        String name = source.type().equality().toLowerCase(Locale.ROOT);
        return name.endsWith("_bin") || name.contains("_cs") || name.contains("_as");
    }

    /** Texts one after the other. Of a choice of literals any may be equal to another with what stands beside. */
    static Representation joined(List<Representation> parts) {
        List<Representation> others = parts.stream()
                .filter(part -> part.texts().size() != 1 || !part.is(Kind.TEXT))
                .toList();
        long shaped = others.stream().filter(part -> !part.isPlain()).count();
        boolean isVarious = others.stream()
                .anyMatch(part -> part.is(Kind.SINGLE)
                        || !part.isOne()
                        || part.is(Kind.FIXED) && shaped > 1
                        || others.size() > 1 && (part.texts().size() > 1 || !part.isWithoutLetters()));
        if (isVarious) {
            return Representation.VARIOUS;
        }
        boolean isPlain = shaped == 0 && parts.stream().allMatch(Representation::isWithoutLetters);
        if (isPlain) {
            return Representation.PLAIN;
        }
        boolean isFixed = others.stream().noneMatch(part -> part.is(Kind.STORED) || part.is(Kind.DERIVED));
        return parts.stream()
                .filter(part -> part.source() != null)
                .max(Comparator.comparing(part -> isSensitive(part.source())))
                .orElse(Representation.FIXED)
                .made(isFixed ? Kind.FIXED : Kind.DERIVED);
    }

    /**
     * With a separator, which is left out where a part is NULL, so that letters or blanks of it may stand elsewhere.
     */
    private Representation separated(List<Expr> arguments) {
        List<Representation> parts = arguments.stream().map(reader::of).toList();
        boolean isFixed = IntStream.range(0, parts.size())
                .allMatch(i -> arguments.get(i) instanceof Expr.Literal literal
                        ? literal.text().chars().noneMatch(Character::isLetter)
                        : parts.get(i).isPlain() || parts.get(i).is(Kind.STORED));
        return isFixed ? joined(parts) : Representation.VARIOUS;
    }

    private static boolean isConstant(Expr e) {
        return e instanceof Expr.Literal
                || e instanceof Expr.Parameter
                || e instanceof Expr.Keyword
                || e instanceof Expr.Unary unary && isConstant(unary.operand());
    }
}
