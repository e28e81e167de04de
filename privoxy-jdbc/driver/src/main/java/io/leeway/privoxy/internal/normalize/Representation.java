package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of how values are written that the database takes for equal. Of values that are equal and look
 * different (1.00 and 1.000, 'a' and 'A' under a collation) it shows one where it takes them together, and sorts them
 * as they come.
 *
 * <p>The leak: of two rows that {@code DISTINCT}, {@code GROUP BY}, {@code MIN} or a {@code UNION} takes for equal the
 * database shows one, the first that it comes to, and that order may be a hidden index's. {@code SELECT DISTINCT CASE v
 * WHEN 2 THEN 1.00 ELSE 1.000 END} over two rows tells by 1.00 or 1.000 which of them lies first
 * ({@code EqualValuesIT}); so does {@code UNION} of two columns, a cast under another collation, or a {@code COALESCE}
 * that puts one column in another's place ({@code OneFormIT}). A statement may therefore take together only what looks
 * alike where it is equal, or what other columns that are shown determine.
 *
 * <p>Values as a column stores them are let pass although they may differ ({@link Kind#STORED}): that takes rows which
 * somebody stored so, and refusing it would refuse every {@code GROUP BY name} (known holes). What a statement makes
 * itself is not let pass.
 *
 * @param scale of decimal numbers the digits behind the point, where they are part of the value
 * @param texts the literals among the values, which may be equal under MariaDB's collations
 * @param source the column that stores them, or a text of which they are made
 */
record Representation(
        Kind kind, int scale, Set<String> texts, @Nullable Source source) {

    /** A column and its type. */
    record Source(String table, String column, ColumnType type) {}

    /**
     * Which values look alike.
     *
     * <p>In the order in which less is known: what is before {@link #FLOATING} is exact, what is before
     * {@link #SEVERAL} looks alike unless somebody stored it otherwise, and so on. The order is used by
     * {@code compareTo}.
     */
    enum Kind {
        /** NULL, which fits with everything. */
        NOTHING,
        WHOLE,
        /** Numbers of one scale. */
        DECIMAL,
        /** Literals, which become of the type of what they stand beside. */
        TEXT,
        /** MariaDB's dates, and texts of those and of numbers, which have neither letters nor blanks at the end. */
        PLAIN,
        /** Whatever else of which equal values are identical as long as they are what they are; on MariaDB no text. */
        SINGLE,
        /** Floating point in which zeros have no sign that was not stored. */
        FLOATING,
        /** Values of a column as it stores them, which differ only where somebody wrote different ones. */
        STORED,
        /** One text made of what is stored, the same in all rows: not to be chosen from beside another. */
        DERIVED,
        /**
         * What one function gives, as texts in capitals, the same in all rows: neither with other texts nor beside
         * others.
         */
        FIXED,
        /** Values of several columns of one type as these store them. */
        SEVERAL,
        /** Equal ones may look different. */
        VARIOUS,
        /** PostgreSQL's values of types without an order or equality. */
        UNORDERED
    }

    /** Letters of two letters, of which Hungarian writes only the first one twice. */
    private static final Pattern DOUBLED = Pattern.compile("([CDGLNSTZ])(?=\\1)\\1(ZS|[SZI])");

    private static final Set<Kind> UNIQUE = EnumSet.of(Kind.FIXED, Kind.DERIVED, Kind.SEVERAL);

    static final Representation NOTHING = of(Kind.NOTHING);
    static final Representation WHOLE = of(Kind.WHOLE);
    static final Representation SINGLE = of(Kind.SINGLE);
    static final Representation FLOATING = of(Kind.FLOATING);
    static final Representation PLAIN = of(Kind.PLAIN);
    static final Representation FIXED = of(Kind.FIXED);
    static final Representation DERIVED = of(Kind.DERIVED);
    static final Representation VARIOUS = of(Kind.VARIOUS);
    static final Representation UNORDERED = of(Kind.UNORDERED);

    Representation {
        texts = Set.copyOf(texts);
    }

    private static Representation of(Kind kind) {
        return new Representation(kind, 0, Set.of(), null);
    }

    /** What is made of this, or of these and others. */
    Representation made(Kind of) {
        return new Representation(of, 0, Set.of(), source);
    }

    static Representation stored(Source source) {
        return new Representation(Kind.STORED, 0, Set.of(), source);
    }

    static Representation decimal(int scale) {
        return new Representation(Kind.DECIMAL, scale, Set.of(), null);
    }

    static Representation text(String text) {
        return new Representation(Kind.TEXT, 0, Set.of(text), null);
    }

    boolean is(Kind other) {
        return kind == other;
    }

    /** Whether equal values are identical, but for those that somebody stored. */
    boolean isOne() {
        return kind.compareTo(Kind.SEVERAL) < 0;
    }

    /** Whether equal values are identical. */
    boolean isExact() {
        return kind.compareTo(Kind.FLOATING) < 0;
    }

    /** Whether of rows that are all shown those that are equal differ only where somebody wrote different ones. */
    boolean isSortable() {
        return kind.compareTo(Kind.VARIOUS) < 0;
    }

    /** Whether MariaDB's text of it has neither letters nor blanks at the end. */
    boolean isPlain() {
        return isNumber() || kind == Kind.PLAIN && texts.isEmpty();
    }

    boolean isNumber() {
        return kind == Kind.WHOLE || kind == Kind.DECIMAL;
    }

    /** What may be any of these. */
    static Representation common(Collection<Representation> all, Dialect dialect) {
        Representation common = NOTHING;
        for (Representation one : all) {
            common = common.with(one, dialect);
        }
        return common;
    }

    /**
     * NULL fits with everything, as it shows no value. Literals are gathered as they come, since whether two are equal
     * under a collation shows only when all are known.
     */
    Representation with(Representation other, Dialect dialect) {
        Set<String> both = Stream.concat(texts.stream(), other.texts.stream()).collect(Collectors.toSet());
        Kind common = kind == Kind.NOTHING ? other.kind : other.kind == Kind.NOTHING ? kind : beside(other, dialect);
        // PostgreSQL and H2 compare literals by what they are beside; on MariaDB two literals alone may be one to the
        // connection's collation.
        boolean isApart = dialect != Dialect.MARIADB || areApart(both);
        return common == Kind.VARIOUS || !isApart
                ? VARIOUS
                : new Representation(
                        common, Math.max(scale, other.scale), both, source == null ? other.source : source);
    }

    /**
     * What two queries show below each other. MariaDB shows of equal texts the first query's.
     *
     * <p>On the others of equal rows any side's may be shown, so the two columns have to be of one type, whose equal
     * values look alike but for what was stored.
     */
    Representation below(Representation other, Dialect dialect) {
        Source first = source;
        Source second = other.source;
        boolean isStored = is(Kind.STORED)
                && other.is(Kind.STORED)
                && !Objects.equals(first, second)
                && texts.isEmpty()
                && other.texts.isEmpty();
        if (!isStored) {
            // Two columns each of which is of several: more than pairs were looked at for.
            return is(Kind.SEVERAL) && other.is(Kind.SEVERAL) ? VARIOUS : with(other, dialect);
        }
        if (dialect == Dialect.MARIADB) {
            return this;
        }
        boolean isOfOneType = first != null && second != null && first.type().equals(second.type());
        return isOfOneType ? of(Kind.SEVERAL) : VARIOUS;
    }

    /** The smaller kind is asked about the greater, so each pair is decided in one place. */
    private Kind beside(Representation other, Dialect dialect) {
        if (kind == other.kind) {
            // STORED of two columns is not one form: in CASE WHEN … THEN a ELSE b END equal texts of a and b may look
            // different.
            boolean isSame = scale == other.scale && Objects.equals(source, other.source);
            return isSame && !UNIQUE.contains(kind) ? kind : Kind.VARIOUS;
        }
        if (kind.compareTo(other.kind) > 0) {
            return other.beside(this, dialect);
        }
        boolean isMariaDb = dialect == Dialect.MARIADB;
        return switch (other.kind) {
            // A whole number beside is of scale 0: COALESCE(price, 0) shows 0 for one NULL and 0.00 for a price of
            // that.
            case DECIMAL -> scale == other.scale ? Kind.DECIMAL : Kind.VARIOUS;
            // A number beside a literal becomes text on MariaDB; no number's text is equal to such a literal and looks
            // different.
            case TEXT -> isMariaDb && other.isWritten() ? Kind.PLAIN : Kind.VARIOUS;
            case PLAIN -> isWritten() ? Kind.PLAIN : Kind.VARIOUS;
            // It may be binary or not, and beside text becomes what that is.
            case SINGLE -> !isMariaDb || isNumber() ? Kind.SINGLE : Kind.VARIOUS;
            case FLOATING ->
                isNumber() && !dialect.has(DialectRule.FLOATING_WITH_DECIMAL_IS_DECIMAL) ? Kind.FLOATING : Kind.VARIOUS;
            case STORED -> is(Kind.TEXT) && isMariaDb && isWithoutLetters() ? Kind.STORED : Kind.VARIOUS;
            case UNORDERED -> Kind.UNORDERED;
            default -> Kind.VARIOUS;
        };
    }

    /** Whether no text of digits and dashes is equal to one of these and looks different. */
    private boolean isWritten() {
        return texts.stream().allMatch(text -> text.chars().allMatch(c -> c > ' ' && c < 127) || text.isEmpty());
    }

    /**
     * Whether none of the literals could be written in capitals.
     *
     * <p>A collation without cases takes only letters of two cases for one.
     */
    boolean isWithoutLetters() {
        return isWritten() && texts.stream().noneMatch(text -> text.chars().anyMatch(Character::isLetter));
    }

    /**
     * Whether no two are equal under any collation, of which some know I and J, or U, V and W for one, Lithuanian and
     * Latvian ones also Y, and C and CH; Hungarian has CCS for CSCS, and more of the kind.
     *
     * <p>Compared by capitals, digits and nothing else, since collations leave out punctuation, blanks at the end,
     * accents; which of them a connection has is not known.
     */
    private static boolean areApart(Set<String> texts) {
        var folded = new HashSet<String>();
        for (String text : texts) {
            String plain = text.toUpperCase(Locale.ROOT).replaceAll("[^0-9A-Z]", "");
            plain = plain.replaceAll("[JY]", "I").replaceAll("[VW]", "U").replace("CH", "C");
            plain = DOUBLED.matcher(plain).replaceAll("$1$2$1$2");
            boolean isAscii = text.chars().allMatch(c -> c >= ' ' && c < 127);
            if (texts.size() > 1 && !(isAscii && folded.add(plain))) {
                return false;
            }
        }
        return true;
    }
}
