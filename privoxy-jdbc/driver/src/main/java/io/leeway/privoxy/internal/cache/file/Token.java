package io.leeway.privoxy.internal.cache.file;

/**
 * A word of a template file.
 *
 * <p>The raw text is what is signed, the other what it means.
 *
 * @param text its meaning: of quoted ones what is between the quotes, of hashes and parameters what follows the sign
 * @param raw as it stands in the file
 */
record Token(Kind kind, String text, String raw, int line, int column) {

    enum Kind {
        /** A plain name or keyword. */
        WORD,
        /** A name in double quotes. */
        QUOTED,
        /** A text in single quotes. */
        STRING,
        NUMBER,
        /** {@code ?1} or {@code ?MyUId}. */
        PARAMETER,
        /** {@code #3f2a}. */
        HASH,
        /** A comma, bracket, dot, star or comparison. */
        SYMBOL,
        END
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** As it stands in the file, for messages. */
    String described() {
        return kind == Kind.END ? "the end of the file" : raw;
    }
}
