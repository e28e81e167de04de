package io.leeway.privoxy.internal.sql;

import java.util.List;

/**
 * The text is not read, because it is not SQL of the dialect or because it uses what this front end does not
 * understand. It is the only exception that reading SQL throws. The message has no literal of the text.
 *
 * <p>It says where and what, so that a developer finds the construct; it quotes names and words of the grammar only, as
 * messages go to logs that other people read.
 *
 * <p>Without a stack trace: refusals are ordinary and may be many, and where in the parser a text was refused helps
 * nobody.
 */
public final class UnsupportedSqlException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is wrong with the text, as far as it can be told. */
    public enum Fault {
        /** It is SQL, of a kind that is not understood or not let pass. */
        UNSUPPORTED,
        /** It does not follow the grammar that is understood here, so it may be no SQL at all. */
        GRAMMAR,
        /** It names a table that does not exist. */
        NO_TABLE,
        /** It names a column that is in no table there, or in several. */
        NO_COLUMN
    }

    private final Fault fault;
    private final String construct;
    private final int offset;
    private final int line;
    private final int column;

    @SuppressWarnings("serial") // always one of the lists that the JDK's factories make
    private final List<String> missingTable;

    private UnsupportedSqlException(
            Fault fault, String construct, int offset, int line, int column, List<String> missingTable) {
        super("not supported: " + construct + " at line " + line + ", column " + column, null, false, false);
        this.fault = fault;
        this.construct = construct;
        this.offset = offset;
        this.line = line;
        this.column = column;
        this.missingTable = List.copyOf(missingTable);
    }

    /** The construct at an offset of the text; line and column are counted from 1. */
    public static UnsupportedSqlException at(String construct, CharSequence sql, int offset) {
        return at(Fault.UNSUPPORTED, construct, sql, offset, List.of());
    }

    /** The same for what is not as the grammar has it. */
    public static UnsupportedSqlException grammar(String construct, CharSequence sql, int offset) {
        return at(Fault.GRAMMAR, construct, sql, offset, List.of());
    }

    /** The same, because a column's name means none. */
    public static UnsupportedSqlException noColumn(String construct, CharSequence sql, int offset) {
        return at(Fault.NO_COLUMN, construct, sql, offset, List.of());
    }

    /** The same, because there is no such table; {@code table} has the parts of its name. */
    public static UnsupportedSqlException noTable(String construct, CharSequence sql, int offset, List<String> table) {
        return at(Fault.NO_TABLE, construct, sql, offset, table);
    }

    // Lines are counted when something is refused, not for each token.
    private static UnsupportedSqlException at(
            Fault fault, String construct, CharSequence sql, int offset, List<String> missingTable) {
        int line = 1;
        int lineStart = 0;
        int end = Math.min(offset, sql.length());
        for (int i = 0; i < end; i++) {
            if (sql.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new UnsupportedSqlException(fault, construct, offset, line, end - lineStart + 1, missingTable);
    }

    /** The name of the table that does not exist, in parts; empty if that is not the reason. */
    public List<String> missingTable() {
        return missingTable;
    }

    /** What is wrong. */
    public Fault fault() {
        return fault;
    }

    /** What is not supported, in words, as {@code TABLESAMPLE}. */
    public String construct() {
        return construct;
    }

    /** Offset in the text, from 0. */
    public int offset() {
        return offset;
    }

    /** Line, from 1. */
    public int line() {
        return line;
    }

    /** Column, from 1. */
    public int column() {
        return column;
    }
}
