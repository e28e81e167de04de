package io.leeway.privoxy.internal.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression. */
public sealed interface Expr extends Node {

    /** A column reference, or what else a plain name may mean: {@code c}, {@code t.c}, {@code s.t.c}. */
    record Column(QualifiedName name) implements Expr {
        @Override
        public int position() {
            return name.position();
        }
    }

    /** {@code *} as the argument of a function. */
    record Star(int position) implements Expr {}

    /** {@code t.*} as a value (PostgreSQL: the whole row). */
    record WholeRow(QualifiedName qualifier, int position) implements Expr {}

    /**
     * A literal.
     *
     * @param text digits as written for numbers, the decoded characters for strings and typed strings, digits without
     *     prefix for HEX and BIT, {@code TRUE}/{@code FALSE} for booleans, {@code NULL} for null
     */
    record Literal(LiteralKind kind, String text, int position) implements Expr {

        /** The most digits of a number that every database surely takes for a whole one; of more it is decimal to some. */
        public static final int SURELY_WHOLE = 18;
    }

    /** A string with a character set introducer, as {@code _utf8mb4'x'}. */
    record CharsetString(String charset, Literal value, int position) implements Expr {}

    /**
     * A parameter.
     *
     * @param slot 0-based number among the statement's slots: JDBC parameters and lifted literals in textual order
     * @param lifted whether it stands for a literal that was lifted from the text
     */
    record Parameter(int slot, boolean lifted, int position) implements Expr {}

    /** A context parameter of a policy: {@code ?MyUId}. */
    record PolicyParameter(String name, int position) implements Expr {}

    /**
     * A variable of a MariaDB session, {@code @x} or {@code @@global.x}, or {@code @x := value}, which is never read.
     *
     * @param scope {@code global}, {@code session}, … or empty
     */
    record Variable(boolean system, String scope, String name, int position) implements Expr {}

    /** A prefix operator other than NOT: {@code -}, {@code +}, {@code ~}, {@code BINARY}, PostgreSQL's {@code @} … */
    record Unary(String operator, Expr operand, int position) implements Expr {}

    /**
     * An infix operator other than comparisons and logic: arithmetic, {@code ||}, JSON, bits, PostgreSQL's others.
     *
     * @param operator canonical: upper-case for words ({@code DIV}), {@code %} for MOD, PostgreSQL's
     *     {@code OPERATOR(s.+)} as written there
     */
    record Binary(String operator, Expr left, Expr right, int position) implements Expr {}

    /** A comparison. */
    record Comparison(ComparisonOperator operator, Expr left, Expr right, int position) implements Expr {}

    /** Conjunction of two or more. */
    record And(List<Expr> operands, int position) implements Expr {
        public And {
            operands = List.copyOf(operands);
        }
    }

    /** Disjunction of two or more. */
    record Or(List<Expr> operands, int position) implements Expr {
        public Or {
            operands = List.copyOf(operands);
        }
    }

    /** Exclusive or (MariaDB). */
    record Xor(Expr left, Expr right, int position) implements Expr {}

    /** Negation. */
    record Not(Expr operand, int position) implements Expr {}

    /** {@code IS [NOT] NULL}. */
    record IsNull(Expr operand, boolean negated, int position) implements Expr {}

    /** {@code IS [NOT] TRUE | FALSE | UNKNOWN}. */
    record IsTruth(Expr operand, Truth truth, boolean negated, int position) implements Expr {}

    /** {@code IS [NOT] DISTINCT FROM}. */
    record IsDistinct(Expr left, Expr right, boolean negated, int position) implements Expr {}

    /** {@code [NOT] BETWEEN [SYMMETRIC]}. */
    record Between(Expr operand, Expr low, Expr high, boolean symmetric, boolean negated, int position)
            implements Expr {}

    /** {@code [NOT] IN (a, b, …)}. */
    record InList(Expr operand, List<Expr> values, boolean negated, int position) implements Expr {
        public InList {
            values = List.copyOf(values);
        }
    }

    /** {@code [NOT] IN (SELECT …)}. */
    record InQuery(Expr operand, Query query, boolean negated, int position) implements Expr {}

    /** {@code EXISTS (SELECT …)}. */
    record Exists(Query query, int position) implements Expr {}

    /**
     * {@code a <op> ANY | ALL (SELECT …)}.
     *
     * @param operator as {@link Binary}, {@link ComparisonOperator#symbol}, or LIKE, NOT LIKE, ILIKE, NOT ILIKE
     */
    record QuantifiedQuery(Expr left, String operator, boolean all, Query query, int position) implements Expr {}

    /** {@code a <op> ANY | ALL (array)}. */
    record QuantifiedArray(Expr left, String operator, boolean all, Expr array, int position) implements Expr {}

    /** LIKE and its relatives. */
    record Match(
            MatchKind kind,
            Expr operand,
            Expr pattern,
            @Nullable Expr escape,
            boolean negated,
            int position) implements Expr {}

    /** CASE, with or without operand. */
    record Case(
            @Nullable Expr operand,
            List<When> whens,
            @Nullable Expr otherwise,
            int position) implements Expr {
        public Case {
            whens = List.copyOf(whens);
        }
    }

    /** A branch of {@link Case}. */
    record When(Expr condition, Expr result) {}

    /** A cast, in any of its notations. */
    record Cast(Expr operand, TypeName type, CastForm form, int position) implements Expr {}

    /**
     * A function call.
     *
     * @param name lower-case for functions with syntax of their own ({@code extract}, {@code trim} …)
     * @param aggregation DISTINCT, ORDER BY, FILTER …, or null if there is none of them
     * @param over window, or null
     */
    record Call(
            QualifiedName name,
            List<Expr> arguments,
            CallForm form,
            @Nullable Aggregation aggregation,
            @Nullable Window over,
            int position)
            implements Expr {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /** {@code name => value} in the arguments of a function. */
    record NamedArgument(Name name, Expr value, int position) implements Expr {}

    /** A word that a function's own syntax takes as an argument: the field of EXTRACT, BOTH of TRIM, a time unit. */
    record Keyword(String word, int position) implements Expr {}

    /** A row of values; {@code explicit} if written with ROW. */
    record Row(List<Expr> values, boolean explicit, int position) implements Expr {
        public Row {
            values = List.copyOf(values);
        }
    }

    /** {@code ARRAY[a, b]}. */
    record ArrayOf(List<Expr> values, int position) implements Expr {
        public ArrayOf {
            values = List.copyOf(values);
        }
    }

    /** {@code ARRAY(SELECT …)}. */
    record ArrayQuery(Query query, int position) implements Expr {}

    /** {@code a[i]}. */
    record Subscript(Expr operand, Expr index, int position) implements Expr {}

    /** {@code a[low:high]}. */
    record Slice(Expr operand, @Nullable Expr low, @Nullable Expr high, int position) implements Expr {}

    /** A field of a composite value: {@code (x).f}. */
    record Field(Expr operand, Name name, int position) implements Expr {}

    /** A query in parentheses as a value. */
    record Scalar(Query query, int position) implements Expr {}

    /** {@code INTERVAL value unit}. */
    record Interval(Expr value, String unit, int position) implements Expr {}

    /** {@code x COLLATE c}. */
    record Collate(Expr operand, QualifiedName collation, int position) implements Expr {}

    /** {@code x AT TIME ZONE z}; {@code zone} is null for AT LOCAL. */
    record AtTimeZone(Expr operand, @Nullable Expr zone, int position) implements Expr {}

    /** {@code NEXT VALUE FOR sequence}; {@code previous} for MariaDB's PREVIOUS VALUE, H2's CURRENT VALUE. */
    record SequenceValue(QualifiedName sequence, boolean previous, int position) implements Expr {}

    /** {@code DEFAULT} as a value in VALUES or SET. */
    record Default(int position) implements Expr {}

    /** Comparison operators. */
    enum ComparisonOperator {
        EQ("="),
        NE("<>"),
        LT("<"),
        LE("<="),
        GT(">"),
        GE(">="),
        /** MariaDB's NULL-safe equality. */
        NULL_SAFE_EQ("<=>");

        private final String symbol;

        ComparisonOperator(String symbol) {
            this.symbol = symbol;
        }

        public String symbol() {
            return symbol;
        }
    }

    /** The third value of SQL's logic and the two others. */
    enum Truth {
        TRUE,
        FALSE,
        UNKNOWN
    }

    /** Kinds of literals. */
    enum LiteralKind {
        /** Digits only. */
        INTEGER,
        /** With a decimal point. */
        DECIMAL,
        /** With an exponent. */
        FLOAT,
        STRING,
        NATIONAL_STRING,
        BOOLEAN,
        NULL,
        DATE,
        TIME,
        TIME_TZ,
        TIMESTAMP,
        TIMESTAMP_TZ,
        /** {@code X'1F'}: bytes. */
        HEX,
        /** {@code 0x1F}: in MariaDB a number where one is wanted, otherwise bytes. */
        HEX_NUMBER,
        BIT
    }

    /** Kinds of pattern matches. */
    enum MatchKind {
        LIKE,
        ILIKE,
        SIMILAR_TO,
        REGEXP
    }

    /** Notations of a cast. */
    enum CastForm {
        /** {@code CAST(x AS t)}. */
        CAST,
        /** {@code x::t}. */
        COLONS,
        /** {@code t 'x'} (PostgreSQL). */
        PREFIX,
        /** {@code CONVERT(x, t)} (MariaDB), {@code CONVERT(x, t)} (H2). */
        CONVERT,
        /** {@code TRY_CAST(x AS t)}. */
        TRY_CAST
    }

    /** Notations of a call. */
    enum CallForm {
        /** {@code f(a, b)}. */
        NORMAL,
        /** {@code CURRENT_DATE}: no parentheses. */
        WORD,
        /** A syntax of its own between the parentheses: EXTRACT, TRIM, SUBSTRING, POSITION, OVERLAY … */
        SPECIAL,
        /** <code>{fn f(a)}</code>: the driver may put another function in its place. */
        JDBC
    }
}
