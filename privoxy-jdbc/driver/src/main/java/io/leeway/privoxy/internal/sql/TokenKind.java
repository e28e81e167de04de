package io.leeway.privoxy.internal.sql;

/** Kinds of tokens, the same for all dialects. */
enum TokenKind {
    /** End of the text. */
    END,
    /** An identifier or keyword without quotes. */
    WORD,
    /** A quoted identifier. */
    QUOTED,
    STRING,
    /** {@code N'…'}. */
    NATIONAL,
    HEX,
    HEX_NUMBER,
    BIT,
    INTEGER,
    DECIMAL,
    FLOAT,
    OPERATOR,
    LEFT_PAREN,
    RIGHT_PAREN,
    LEFT_BRACKET,
    RIGHT_BRACKET,
    LEFT_BRACE,
    RIGHT_BRACE,
    COMMA,
    SEMICOLON,
    DOT,
    /** A JDBC parameter, or one by number. */
    PARAMETER,
    /** {@code ?name} in a policy. */
    POLICY_PARAMETER,
    /** {@code @x}. */
    USER_VARIABLE,
    /** {@code @@x}. */
    SYSTEM_VARIABLE;

    boolean isPlainLiteral() {
        return this == INTEGER || this == STRING || this == DECIMAL || this == FLOAT;
    }
}
