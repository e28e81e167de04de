package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import java.util.ArrayList;
import java.util.List;

/**
 * A text without the literals that applications put into it in place of parameters: those directly behind a comparison
 * and those of an IN list of nothing but literals. Texts with equal {@link #key keys} are read alike, so that what was
 * learnt from one holds for all; a key costs one pass of the lexer.
 *
 * <p>The key is the text with comments and runs of white space made one space and each lifted literal made one
 * character that tells its kind and that no text has outside of quotes. Everything that the reading depends on but the
 * options is in it. Not thread-safe until {@link #parse} has been called.
 */
public final class Skeleton {

    // No lexer lets these pass outside of quotes.
    private static final char LIFTED_INTEGER = '\u0001';
    private static final char LIFTED_DECIMAL = '\u0002';
    private static final char LIFTED_FLOAT = '\u0003';
    private static final char LIFTED_STRING = '\u0004';

    private final Tokens tokens;
    private final SqlOptions options;
    private final List<SlotSource> slots;

    private Skeleton(Tokens tokens, SqlOptions options, boolean lift) {
        this.tokens = tokens;
        this.options = options;
        this.slots = assignSlots(lift);
    }

    /**
     * The skeleton of a text.
     *
     * @throws UnsupportedSqlException if the text cannot be split into tokens
     */
    public static Skeleton of(String sql, SqlOptions options) {
        return new Skeleton(Lexer.tokens(sql, options), options, true);
    }

    /** A text with its literals. */
    static Skeleton ofWhole(String sql, SqlOptions options) {
        return new Skeleton(Lexer.tokens(sql, options), options, false);
    }

    /** Where the value of each slot comes from, in textual order. */
    public List<SlotSource> slots() {
        return slots;
    }

    /**
     * Reads the statements.
     *
     * @throws UnsupportedSqlException if they are not understood
     */
    public ParsedSql parse() {
        try {
            return new ParsedSql(new Grammar(tokens, options).statements().statements(), slots);
            // Refused, as anything that is not understood; it must not reach the application as an Error.
        } catch (StackOverflowError deep) {
            // the limit of nesting is made for ordinary stacks; this thread has little left
            throw UnsupportedSqlException.at("nesting too deep for the stack of this thread", tokens.sql(), 0);
        }
    }

    /** Where additions stand in this text. */
    public List<Addition.Placed> placed(List<Addition> additions) {
        return Addition.placed(additions, tokens);
    }

    /** The skeleton of this text with additions, which have no parameters and no literals that are lifted. */
    public Skeleton with(List<Addition> additions) {
        return of(Addition.put(tokens.sql(), placed(additions)), options);
    }

    /** The text. */
    public String sql() {
        return tokens.sql();
    }

    /** What texts that differ only in lifted literals have in common. */
    public String key() {
        var key = new StringBuilder(tokens.sql().length());
        String sql = tokens.sql();
        int last = tokens.size() - 1;
        for (int i = 0; i < last; i++) {
            // A space or none: MariaDB tells COUNT (x) from COUNT(x), so blanks are no matter of looks.
            if (tokens.hasSpaceBefore(i)) {
                key.append(' ');
            }
            if (tokens.slot(i) >= 0 && tokens.kind(i) != TokenKind.PARAMETER) {
                key.append(mark(tokens.kind(i)));
            } else {
                key.append(sql, tokens.start(i), tokens.end(i));
            }
        }
        return key.toString();
    }

    private static char mark(TokenKind kind) {
        return switch (kind) {
            case INTEGER -> LIFTED_INTEGER;
            case DECIMAL -> LIFTED_DECIMAL;
            case FLOAT -> LIFTED_FLOAT;
            default -> LIFTED_STRING;
        };
    }

    private List<SlotSource> assignSlots(boolean lift) {
        var sources = new ArrayList<SlotSource>();
        boolean lifting = false;
        int list = -1;
        for (int i = 0; i < tokens.size(); i++) {
            TokenKind kind = tokens.kind(i);
            if (i == 0 || tokens.kind(i - 1) == TokenKind.SEMICOLON) {
                lifting = lift && isLifting(i);
            }
            if (kind == TokenKind.PARAMETER) {
                tokens.setSlot(i, sources.size());
                sources.add(new SlotSource.Jdbc(tokens.number(i)));
            } else if (lifting && kind.isPlainLiteral() && !isLong(i) && (i < list || isCompared(i))) {
                tokens.setSlot(i, sources.size());
                // Its kind is in the key, its value is not: the plan is made for any value of the kind.
                sources.add(new SlotSource.Lifted(literal(i)));
            } else if (lifting && kind == TokenKind.LEFT_PAREN && i > 0 && tokens.isWord(i - 1, "IN")) {
                list = Math.max(list, endOfLiterals(i + 1));
            }
        }
        return sources;
    }

    /**
     * Whether the statement is one whose comparisons are expressions.
     *
     * <p>In others a literal behind an equals sign is no comparison: {@code SET sql_mode = '…'} is another statement
     * for each value, and so is a definition in DDL.
     */
    private boolean isLifting(int start) {
        int i = start;
        while (tokens.kind(i) == TokenKind.LEFT_PAREN) {
            i++;
        }
        return tokens.isWord(i, "SELECT")
                || tokens.isWord(i, "UPDATE")
                || tokens.isWord(i, "DELETE")
                || tokens.isWord(i, "INSERT")
                || tokens.isWord(i, "WITH")
                || tokens.isWord(i, "REPLACE")
                || tokens.isWord(i, "MERGE");
    }

    /** A whole number that no column of whole numbers may hold is of another type, so it is not one of many values. */
    private boolean isLong(int i) {
        return tokens.kind(i) == TokenKind.INTEGER && tokens.text(i).length() > Expr.Literal.SURELY_WHOLE;
    }

    /**
     * Only what is surely a value of the statement: a literal in a select list may decide a column's type or name, one
     * behind LIMIT how many rows come, one in an arithmetic expression its type.
     */
    private boolean isCompared(int i) {
        if (i == 0 || tokens.kind(i - 1) != TokenKind.OPERATOR) {
            return false;
        }
        return switch (tokens.text(i - 1)) {
            case "=", "<>", "<", ">", "<=", ">=" -> true;
            default -> false;
        };
    }

    /**
     * Index behind the literals of a list that has nothing else, or -1.
     *
     * <p>The length of a list stays in the key, since each of its elements is a slot.
     */
    private int endOfLiterals(int start) {
        int i = start;
        while (tokens.kind(i).isPlainLiteral()) {
            i++;
            if (tokens.kind(i) == TokenKind.RIGHT_PAREN) {
                return i;
            }
            if (tokens.kind(i) != TokenKind.COMMA) {
                return -1;
            }
            i++;
        }
        return -1;
    }

    private Expr.Literal literal(int i) {
        LiteralKind kind = switch (tokens.kind(i)) {
            case INTEGER -> LiteralKind.INTEGER;
            case DECIMAL -> LiteralKind.DECIMAL;
            case FLOAT -> LiteralKind.FLOAT;
            default -> LiteralKind.STRING;
        };
        return new Expr.Literal(kind, tokens.text(i), tokens.start(i));
    }
}
