package io.leeway.privoxy.internal.sql;

import java.util.List;

/**
 * The text is not read, because it is not SQL of the dialect or because it uses what this front end does not
 * understand. It is the only exception that reading SQL throws. The message has no literal of the text.
 */
public final class UnsupportedSqlException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String construct;
    private final int offset;
    private final int line;
    private final int column;

    @SuppressWarnings("serial") // always one of the lists that the JDK's factories make
    private final List<String> missingTable;

    private UnsupportedSqlException(String construct, int offset, int line, int column, List<String> missingTable) {
        super("not supported: " + construct + " at line " + line + ", column " + column, null, false, false);
        this.construct = construct;
        this.offset = offset;
        this.line = line;
        this.column = column;
        this.missingTable = List.copyOf(missingTable);
    }

    /** The construct at an offset of the text; line and column are counted from 1. */
    public static UnsupportedSqlException at(String construct, CharSequence sql, int offset) {
        return at(construct, sql, offset, List.of());
    }

    /** The same, because there is no such table; {@code table} has the parts of its name. */
    public static UnsupportedSqlException noTable(String construct, CharSequence sql, int offset, List<String> table) {
        return at(construct, sql, offset, table);
    }

    private static UnsupportedSqlException at(
            String construct, CharSequence sql, int offset, List<String> missingTable) {
        int line = 1;
        int lineStart = 0;
        int end = Math.min(offset, sql.length());
        for (int i = 0; i < end; i++) {
            if (sql.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new UnsupportedSqlException(construct, offset, line, end - lineStart + 1, missingTable);
    }

    /** The name of the table that does not exist, in parts; empty if that is not the reason. */
    public List<String> missingTable() {
        return missingTable;
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
