package io.leeway.lazybase;

import java.util.Locale;

/**
 * Says what went wrong and what to do; clients see the SQLSTATE of its code.
 *
 * @since 0.1
 */
public final class LazyBaseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What kinds of faults there are. The numbers are API: they do not change their meaning between releases. */
    public enum Code {
        /** Options are unknown or out of range; the message lists all faults. */
        CONFIGURATION(1001, "F0000", "The options are not valid.", "Correct every option that the message lists."),
        /** Another process uses the directory. */
        IN_USE(1002, "55006", "Another process uses the data directory.", "Stop it, or give another directory."),
        /** The server cannot listen where it was told to. */
        LISTEN(1003, "F0000", "The server cannot listen at its address.", "Free the address or give another one."),

        /** The text is no statement. */
        SYNTAX(
                1101,
                "42601",
                "The text is not a statement that the server knows.",
                "Correct it where the message points."),
        /** There is no such table, view or column. */
        NOT_FOUND(1102, "42P01", "There is no table, view or column of that name.", "Create it, or correct the name."),
        /** The name is taken. */
        EXISTS(1103, "42P07", "The name is taken.", "Take another name, or drop what has it."),
        /** A definition of a table or view makes no sense. */
        BAD_DEFINITION(1104, "42P16", "The definition makes no sense.", "Correct what the message names."),
        /** A statement is understood and cannot be done. */
        UNSUPPORTED(1105, "0A000", "The server does not do that.", "See the page on limits for what it does instead."),
        /** There is no such column. */
        NO_COLUMN(1106, "42703", "There is no column of that name.", "Correct the name."),

        /** A value does not fit its column. */
        BAD_VALUE(
                1201,
                "22P02",
                "A value does not fit the type of its column.",
                "Correct the row that the message names."),
        /** A number is out of the range of its type. */
        OVERFLOW(1202, "22003", "A number is out of the range of its type.", "Correct the value or widen the column."),
        /** A column that must have a value got none. */
        NOT_NULL(1203, "23502", "A column that must have a value got none.", "Give a value."),
        /** A text of COPY is malformed. */
        BAD_COPY(1204, "22P04", "The data of a COPY is malformed.", "Correct the line that the message names."),
        /** A number is divided by zero. */
        DIVISION(1205, "22012", "A number is divided by zero.", "Leave such rows out, or divide by NULLIF(x, 0)."),

        /** A commit is larger than allowed. */
        TOO_LARGE(
                1301,
                "54000",
                "A commit is larger than the limit.",
                "Send it in parts, or raise lazybase.commit.bytes."),
        /** The pipeline is behind, and a commit waited for too long. */
        OVERLOADED(
                1302,
                "53400",
                "The pipeline is behind, and a commit waited too long for it.",
                "Send more slowly, or give the server more workers or a faster disk."),
        /** The store refuses to write. */
        STORE(
                1303,
                "58030",
                "The store did not take what was written; whether the commit is durable is not known.",
                "Look at the cause, free space, and send it again: a put that is sent twice changes nothing."),
        /** The directory has less free space than the reserve. */
        DISK_FULL(
                1304,
                "53100",
                "There is less free space than the reserve.",
                "Free space, or lower lazybase.store.reserve."),

        /** A file of the authority is damaged. */
        DAMAGED(
                1401,
                "58P01",
                "A file that cannot be made again is damaged.",
                "Restore a backup; bin/lazybase verify names all damaged files."),
        /** The query was cancelled. */
        CANCELLED(
                1402,
                "57014",
                "The query was cancelled or took too long.",
                "Ask again, or raise lazybase.query.timeout."),
        /** The server was stopped. */
        CLOSED(1403, "57P01", "The server is being stopped.", "Connect again."),
        /** A query's answer cannot be as fresh as a token asks. */
        TOKEN(
                1404,
                "55000",
                "A token names a commit that this server does not have.",
                "Use tokens with the server that gave them."),
        /** A damaged file is being made again. */
        REMADE(1406, "40001", "A damaged file is being made again from an earlier stage.", "Ask again."),
        /** Something within the server failed. */
        INTERNAL(1405, "XX000", "Something within the server failed.", "Report it with the server's log."),

        /** A user is not known or the password is wrong. */
        AUTHENTICATION(1501, "28P01", "The user is not known or the password is wrong.", "Correct user and password."),
        /** A user may not do that. */
        DENIED(1502, "42501", "The user may only read.", "Use another user."),
        /** A client said what the protocol does not allow. */
        PROTOCOL(
                1503,
                "08P01",
                "A client said what the protocol does not allow.",
                "Use a driver for PostgreSQL 10 or later."),
        /** There are as many connections as allowed. */
        CONNECTIONS(
                1504,
                "53300",
                "There are as many connections as allowed.",
                "Close some, or raise lazybase.pg.connections."),
        /** A prepared statement or portal is not there. */
        NO_STATEMENT(1505, "26000", "There is no prepared statement or portal of that name.", "Prepare it first."),
        /** The transaction was aborted. */
        ABORTED(1506, "25P02", "The transaction has failed before.", "ROLLBACK, then begin anew.");

        private final int number;
        private final String sqlState;
        private final String meaning;
        private final String remedy;

        Code(int number, String sqlState, String meaning, String remedy) {
            this.number = number;
            this.sqlState = sqlState;
            this.meaning = meaning;
            this.remedy = remedy;
        }

        /** The stable number. */
        public int number() {
            return number;
        }

        /** The code as messages have it. */
        public String text() {
            return String.format(Locale.ROOT, "LAZYBASE-%04d", number);
        }

        /** The SQLSTATE that clients see. */
        public String sqlState() {
            return sqlState;
        }

        /** What happened, in general. */
        public String meaning() {
            return meaning;
        }

        /** What to do. */
        public String remedy() {
            return remedy;
        }
    }

    private final Code code;
    private final String detail;

    /** With what happened. */
    public LazyBaseException(Code code, String detail) {
        super(code.text() + ": " + detail + " " + code.remedy());
        this.code = code;
        this.detail = detail;
    }

    /** With what happened and why. */
    public LazyBaseException(Code code, String detail, Throwable cause) {
        super(code.text() + ": " + detail + " " + code.remedy(), cause);
        this.code = code;
        this.detail = detail;
    }

    /** The kind of fault. */
    public Code code() {
        return code;
    }

    /** What happened, without code and remedy. */
    public String detail() {
        return detail;
    }
}
