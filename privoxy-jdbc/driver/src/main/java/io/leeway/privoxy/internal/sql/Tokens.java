package io.leeway.privoxy.internal.sql;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a text, in parallel arrays so that reading a statement makes few objects. The last token is
 * {@link TokenKind#END}. Filled by a {@link Lexer}, not changed afterwards except for slots, which {@link Skeleton}
 * gives.
 */
final class Tokens {

    private static final int INITIAL = 64;
    private static final int NO_SLOT = -1;

    private final String sql;
    private TokenKind[] kinds = new TokenKind[INITIAL];
    private int[] starts = new int[INITIAL];
    private int[] ends = new int[INITIAL];
    private @Nullable String[] texts = new String[INITIAL];
    private int[] numbers = new int[INITIAL];
    private int[] slots = new int[INITIAL];
    private int size;

    Tokens(String sql) {
        this.sql = sql;
    }

    /** A token whose text is the text's own characters. */
    void add(TokenKind kind, int start, int end) {
        add(kind, start, end, null, 0);
    }

    /**
     * A token.
     *
     * @param text decoded or canonical text, or null for the characters from start to end
     * @param number flags of a word ({@link Keywords}), or the JDBC number of a parameter
     */
    void add(TokenKind kind, int start, int end, @Nullable String text, int number) {
        if (size == kinds.length) {
            grow();
        }
        kinds[size] = kind;
        starts[size] = start;
        ends[size] = end;
        texts[size] = text;
        numbers[size] = number;
        slots[size] = NO_SLOT;
        size++;
    }

    /** Makes the last token another kind. */
    void retype(TokenKind kind, String text) {
        kinds[size - 1] = kind;
        texts[size - 1] = text;
        numbers[size - 1] = 0;
    }

    boolean isLast(TokenKind kind) {
        return size > 0 && kinds[size - 1] == kind;
    }

    String sql() {
        return sql;
    }

    int size() {
        return size;
    }

    TokenKind kind(int index) {
        return kinds[index];
    }

    int start(int index) {
        return starts[index];
    }

    int end(int index) {
        return ends[index];
    }

    /** Flags of a word, or the JDBC number of a parameter. */
    int number(int index) {
        return numbers[index];
    }

    /** The characters of a token. */
    String raw(int index) {
        return sql.substring(starts[index], ends[index]);
    }

    /** The word in capitals if {@link Keywords} lists it, otherwise empty. */
    String keyword(int index) {
        String text = texts[index];
        return kinds[index] == TokenKind.WORD && text != null ? text : "";
    }

    /** Decoded text of a literal or quoted name, canonical text of an operator or keyword, otherwise the characters. */
    String text(int index) {
        String text = texts[index];
        return text == null ? sql.substring(starts[index], ends[index]) : text;
    }

    /** Whether characters lie between this token and the one before. */
    boolean hasSpaceBefore(int index) {
        return index > 0 && starts[index] > ends[index - 1];
    }

    int slot(int index) {
        return slots[index];
    }

    void setSlot(int index, int slot) {
        slots[index] = slot;
    }

    /** Whether the token is the word, in any case; {@code word} is in ASCII capitals. */
    boolean isWord(int index, String word) {
        return kinds[index] == TokenKind.WORD && Chars.equalsWord(sql, starts[index], ends[index], word);
    }

    /** Whether the token is the operator. */
    boolean isOperator(int index, String operator) {
        return kinds[index] == TokenKind.OPERATOR && operator.equals(texts[index]);
    }

    private void grow() {
        int length = size * 2;
        kinds = Arrays.copyOf(kinds, length);
        starts = Arrays.copyOf(starts, length);
        ends = Arrays.copyOf(ends, length);
        texts = Arrays.copyOf(texts, length);
        numbers = Arrays.copyOf(numbers, length);
        slots = Arrays.copyOf(slots, length);
    }
}
