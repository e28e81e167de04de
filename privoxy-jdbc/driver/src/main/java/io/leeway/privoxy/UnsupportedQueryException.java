package io.leeway.privoxy;

import java.sql.SQLNonTransientException;

/**
 * A text or a use of JDBC is not understood, so it was not sent to the database.
 *
 * @since 0.1
 */
public final class UnsupportedQueryException extends SQLNonTransientException implements PrivoxyException {

    /** The offset when there is no position in a text. */
    public static final int NO_OFFSET = -1;

    private static final long serialVersionUID = 1L;

    private final PrivoxyErrorCode code;
    private final String construct;
    private final int offset;

    private UnsupportedQueryException(PrivoxyErrorCode code, String construct, int offset, String detail) {
        super(code.message(detail), code.sqlState(), code.number());
        this.code = code;
        this.construct = construct;
        this.offset = offset;
    }

    /**
     * SQL that is not understood.
     *
     * @param construct what is not supported, in words, as {@code TABLESAMPLE}
     * @param offset of the construct in the text, from 0
     * @param line of the construct, from 1
     * @param column of the construct, from 1
     */
    public static UnsupportedQueryException sql(String construct, int offset, int line, int column) {
        return sql(PrivoxyErrorCode.UNSUPPORTED_SQL, construct, offset, line, column);
    }

    /** The same with the code that says more closely what is wrong, as that there is no such table. */
    public static UnsupportedQueryException sql(
            PrivoxyErrorCode code, String construct, int offset, int line, int column) {
        String what = switch (code) {
            case SQL_GRAMMAR -> "Not understood: ";
            case NO_TABLE, NO_COLUMN -> "Not found: ";
            default -> "Not supported: ";
        };
        String detail = what + construct + " at line " + line + ", column " + column + ".";
        return new UnsupportedQueryException(code, construct, offset, detail);
    }

    /** SQL that is not understood as a whole. */
    public static UnsupportedQueryException sql(String construct) {
        String detail = "Not supported: " + construct + ".";
        return new UnsupportedQueryException(PrivoxyErrorCode.UNSUPPORTED_SQL, construct, NO_OFFSET, detail);
    }

    /** A use of JDBC that cannot be checked, and what to do instead. */
    public static UnsupportedQueryException call(String what, String instead) {
        String detail = "Not supported: " + what + ". " + instead;
        return new UnsupportedQueryException(PrivoxyErrorCode.UNSUPPORTED_CALL, what, NO_OFFSET, detail);
    }

    @Override
    public PrivoxyErrorCode code() {
        return code;
    }

    /** What is not supported, in words. */
    public String construct() {
        return construct;
    }

    /** Where it is in the text, from 0, or {@link #NO_OFFSET}. */
    public int offset() {
        return offset;
    }
}
