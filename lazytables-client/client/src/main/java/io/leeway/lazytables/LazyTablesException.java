package io.leeway.lazytables;

import org.jspecify.annotations.Nullable;

/**
 * Says what went wrong and what to do. After {@link Code#FAILED} and {@link Code#CLOSED} the instance that threw it is
 * of no more use.
 *
 * @since 0.1
 */
public final class LazyTablesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What kinds of faults there are. The numbers are API: they do not change their meaning between releases. */
    public enum Code {
        /** A table's specification makes no sense, or is not the one that another process gave. */
        BAD_TABLE(
                1001,
                "A table's specification makes no sense, or is not the one that another process gave.",
                "Give the same valid specification everywhere."),
        /** A row key or column is outside of the table. */
        OUT_OF_RANGE(1002, "A row key or column is outside of the table.", "Use keys and columns that the table has."),
        /** An operation does not fit the table's cells or way to combine. */
        WRONG_TYPE(
                1003,
                "An operation does not fit the table's cells or way to combine.",
                "Use the operations of the table's type."),
        /** An argument or setting makes no sense. */
        BAD_ARGUMENT(1004, "An argument or setting makes no sense.", "Correct what the message names."),
        /** A worker is used that has ended, or a table of another instance. */
        MISUSED(
                1005,
                "A worker is used that has ended, or a table of another instance.",
                "Use workers until they end, with tables of their own instance."),
        /** Options are unknown, contradict each other or are out of range; the message lists all faults. */
        CONFIGURATION(1006, "The options are not valid.", "Correct every option that the message lists."),
        /** A worker's step in a clock is longer than the table's limit. */
        STEP_TOO_LONG(
                1007,
                "A worker moved a row further in one clock than the table's limit.",
                "Take part of it back and complete the clock; take smaller steps, or raise the limit."),

        /** What a read, a clock or a close waits for did not come within its time limit. */
        TIMEOUT(
                1101,
                "What a read, a clock or a close waits for did not come within its time limit.",
                "Look at the worker or server that the message names, or allow more time or more slack."),

        /** A connection said what the protocol does not allow, or speaks another version. */
        PROTOCOL(
                1201,
                "A connection said what the protocol does not allow, or speaks another version.",
                "Run the same release on both sides."),

        /** The instance was closed. */
        CLOSED(1301, "The instance was closed.", "Connect anew."),
        /** The instance cannot go on; the cause says why. */
        FAILED(1302, "The instance cannot go on; the cause says why.", "Cure the cause and connect anew."),
        /** The process was dropped, or another took its place. */
        DROPPED(
                1303,
                "The process was away for too long, or another one took its place; the others go on without it.",
                "Start it anew with lazytables.resume=true."),
        /** A server does not have what it had before. */
        LOST(
                1304,
                "A server does not have what it had before.",
                "Start servers with the snapshot directory that they had, or begin the run anew."),
        /** The objective of a run gets worse however fresh its reads are. */
        DIVERGED(
                1305,
                "The objective of a run gets worse however fresh its reads are.",
                "Take smaller steps, or fewer workers."),
        /** Another process closed before it was done, and nobody takes its place. */
        UNFINISHED(
                1306,
                "Another process closed before it was done, and nobody takes its place.",
                "Look at the error of the process that the message names. A process that is done calls LazyTables.end();"
                        + " one that can be replaced is started with lazytables.resume=true."),

        /** The server cannot listen where it was told to. */
        LISTEN(
                1401,
                "The server cannot listen at its address.",
                "Free the address or give another lazytables.server.listen."),
        /** A server cannot be reached. */
        UNREACHABLE(1402, "The other side cannot be reached.", "Check that it runs and that the address is right."),
        /** What arrives is not the protocol. */
        NOT_LAZYTABLES(
                1403,
                "What arrives is not the protocol of LazyTables.",
                "Check the address, and that both sides use TLS or neither does."),
        /** The two sides speak different versions of the transport. */
        VERSION(1404, "The other side speaks another version.", "Run the same release on both sides."),
        /** The token is missing or another one. */
        TOKEN(1405, "The two sides do not have the same token.", "Give both sides the same lazytables.token."),
        /** TLS could not be agreed on, or a certificate is not trusted. */
        TLS(
                1406,
                "TLS failed.",
                "Check certificate, host name and trusted certificates, and that both sides use TLS or neither does."),
        /** The other side did not finish its handshake. */
        HANDSHAKE_TIMEOUT(
                1407,
                "The handshake was not finished in time.",
                "Check that the other side is a LazyTables process that is not overloaded, or raise"
                        + " lazytables.handshake.timeout."),
        /** Nothing was heard of the other side for too long. */
        SILENT(
                1408,
                "Nothing was heard of the other side for too long.",
                "Check the other side and the network between, or raise lazytables.idle.timeout."),
        /** A frame above the limit. */
        FRAME_TOO_LARGE(1409, "A frame is larger than the limit.", "Raise lazytables.frame.limit on both sides."),
        /** A frame that does not follow the protocol. */
        MALFORMED(1410, "A frame does not follow the protocol.", "Check what is between the two sides."),
        /** The other side takes nothing of what waits for it. */
        SLOW_PEER(
                1411,
                "The other side does not take what is sent to it.",
                "Check that it is not stopped or overloaded, and the network between, or raise lazytables.idle.timeout."),
        /** More connections than allowed. */
        TOO_MANY_CONNECTIONS(
                1412,
                "The server has as many connections as it may.",
                "Close some, or raise lazytables.server.connections."),
        /** The other side ended the connection. */
        ENDED(1413, "The other side ended the connection.", "See its log for the reason."),
        /** Servers cannot be registered or found. */
        REGISTRY(
                1414,
                "A server cannot be registered, or servers cannot be found.",
                "Look at the registry and the servers that the message names."),
        /** Another server has taken a server's number. */
        DISPLACED(
                1415,
                "Another server was registered under the number of this one, which has ended.",
                "Give each server a number of its own, and start one for each number."),

        /** A snapshot cannot be stored or read. */
        SNAPSHOT(1501, "A snapshot cannot be stored or read.", "Cure what the message names."),
        /** A server has no memory for what is asked of it. */
        MEMORY(
                1502,
                "A server has no memory for what is asked of it, or none at all and ends.",
                "Spread the tables over more servers, give each more memory, or use sparse tables where most cells are"
                        + " empty; a server that has ended is started again.");

        private final int number;
        private final String meaning;
        private final String remedy;

        Code(int number, String meaning, String remedy) {
            this.number = number;
            this.meaning = meaning;
            this.remedy = remedy;
        }

        /** The number alone. */
        public int number() {
            return number;
        }

        /** The code as messages show it, such as {@code LAZY-1101}. */
        public String text() {
            return "LAZY-" + number;
        }

        /** What happened, in one sentence. */
        public String meaning() {
            return meaning;
        }

        /** What to do about it, in one sentence. */
        public String remedy() {
            return remedy;
        }
    }

    private final Code code;
    private final String reason;

    private LazyTablesException(Code code, String message, @Nullable Throwable cause) {
        super(code.text() + ": " + message, cause);
        this.code = code;
        reason = message;
    }

    /** A fault without a cause. */
    public static LazyTablesException of(Code code, String message) {
        return new LazyTablesException(code, message, null);
    }

    /** A fault with a cause. */
    public static LazyTablesException of(Code code, String message, @Nullable Throwable cause) {
        return new LazyTablesException(code, message, cause);
    }

    /** The message without the code. */
    public String reason() {
        return reason;
    }

    /** What kind of fault this is. */
    public Code code() {
        return code;
    }
}
