package io.leeway.privoxy;

/**
 * Every error that Privoxy raises by itself. Codes and SQLStates are API: they do not change their meaning between
 * releases. Errors of the database pass through untouched and have no such code.
 *
 * @since 0.1
 */
public enum PrivoxyErrorCode {
    /** Options are unknown, contradict each other or are out of range; the message lists all faults. */
    CONFIGURATION(1001, "08001", "The options are not valid.", "Correct every option that the message lists."),
    /** No driver for the real URL. */
    NO_DRIVER(
            1002,
            "08001",
            "No JDBC driver accepts the URL behind the privoxy prefix.",
            "Put the database's driver on the class path or name its class with privoxyDelegateDriver."),
    /** The policy cannot be read or has faults. */
    POLICY(1003, "08001", "The policy is not valid.", "Correct the file at the lines that the message names."),
    /** The schema of the database cannot be read as the policy needs it. */
    SCHEMA(
            1004,
            "08001",
            "The schema does not fit the policy.",
            "Create what is missing, or change the policy; the message names table and column."),
    /** The schema is no longer the one that was read. */
    SCHEMA_DRIFT(
            1005,
            "08001",
            "The schema has changed since the policy was loaded.",
            "Check the policy against the new schema (privoxy lint) and connect anew."),
    /** Reviewed templates cannot be used. */
    TEMPLATES(
            1006,
            "08001",
            "The template file cannot be used.",
            "Make it anew for this policy and schema, and have it reviewed and signed."),
    /** A name without schema in the policy leads to another table. */
    POLICY_NAMES(
            1007,
            "08001",
            "A table name of the policy means another table than before.",
            "Write it with its schema in the policy, or take the other table away."),

    /** A context parameter has a value that cannot be used. */
    CONTEXT(1101, "22023", "A context parameter has no usable value.", "Give a value of the declared type."),
    /** Thread and connection name different identities. */
    CONTEXT_CONTRADICTION(
            1102,
            "HYP02",
            "The request of the thread and the context of the connection contradict each other.",
            "Give the identity in one place: the thread's request, or the connection."),
    /** The request was closed. */
    REQUEST_ENDED(
            1103,
            "HYP03",
            "The request has ended.",
            "Begin a request for this work, or end the request after the work."),
    /** The session's settings make the database read SQL in a way that is not understood. */
    SESSION(
            1104,
            "0A000",
            "The session's settings change the reading of SQL in an unsupported way.",
            "Use the setting that the message names."),
    /** The schema is no longer that of the moment whose rows the transaction reads. */
    SCHEMA_OF_TRANSACTION(
            1105,
            "40001",
            "The schema has changed since this transaction began, which reads the rows of then.",
            "Roll it back and try it again."),

    /** The schema may have become another one while the statement was run. */
    SCHEMA_OF_STATEMENT(
            1106,
            "40001",
            "The schema has changed, or may have, while the statement was run, so its result is not shown.",
            "Run it again; within a transaction, roll that back first."),
    /** The same for a write that is committed already. */
    SCHEMA_OF_WRITE(
            1107,
            "40003",
            "The schema has changed, or may have, while the write was run, so its result is not shown.",
            "Look whether it was made before it is run again: it may be committed."),

    /** The query could reveal more than the policy shows. */
    VIOLATION(
            1201,
            "42501",
            "The query can reveal data that the policy does not show.",
            "Ask only for what the nearest view shows, or extend the policy."),
    /** The same, and nobody said who asks. */
    NO_CONTEXT(
            1202,
            "42501",
            "The query needs a request context and there is none.",
            "Begin a request: Privoxy.begin, the servlet filter, setClientInfo or SET privoxy.<name>."),
    /** Writes are switched off. */
    WRITE_REFUSED(1203, "42501", "Writes are refused by configuration.", "Set privoxyWrites=check to allow them."),
    /** The driver's own classes would be a way around the check. */
    UNWRAP_REFUSED(
            1204,
            "42501",
            "Unwrapping to the database's own classes would be a way around the policy.",
            "Name the interface in privoxyUnwrap if this application may have it."),
    /** Only reviewed templates decide and none of them covers the query. */
    NOT_REVIEWED(
            1205,
            "42501",
            "No reviewed template covers the query.",
            "Record the query, make its template and have it reviewed."),

    /** The SQL is not understood. */
    UNSUPPORTED_SQL(
            1301,
            "0A000",
            "The SQL is not understood, so it was not sent.",
            "Write it without the construct at the position that the message names."),
    /** A use of JDBC that cannot be checked. */
    UNSUPPORTED_CALL(
            1302,
            "0A000",
            "This use of JDBC cannot be checked, so it was refused.",
            "Use the form that the message names."),
    /** The text does not follow the grammar that is understood. */
    SQL_GRAMMAR(
            1303,
            "42601",
            "The text does not follow the SQL that is understood, so it was not sent.",
            "Correct it at the position that the message names, or write it without that construct."),
    /** A table does not exist. */
    NO_TABLE(
            1304,
            "42P01",
            "The SQL names a table that does not exist, so it was not sent.",
            "Correct the name, create the table, or write it with its schema."),
    /** A column does not exist. */
    NO_COLUMN(
            1305,
            "42703",
            "The SQL names a column that is in no table there, or in several, so it was not sent.",
            "Correct the name, or write it with its table."),

    /** No decision within the bounds. */
    UNDECIDED(
            1401,
            "HYP01",
            "The query could not be decided within the bounds, so it was refused.",
            "Simplify the query, add the solver artifact, or raise the bounds."),

    /** A fault in Privoxy. */
    INTERNAL(
            1501,
            "HYP99",
            "An internal error; nothing was sent to the database.",
            "Report it with the stack trace of the cause.");

    private final int number;
    private final String sqlState;
    private final String meaning;
    private final String remedy;

    PrivoxyErrorCode(int number, String sqlState, String meaning, String remedy) {
        this.number = number;
        this.sqlState = sqlState;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** The number, also the {@link java.sql.SQLException#getErrorCode() vendor code} of the exception. */
    public int number() {
        return number;
    }

    /** The code as it stands in messages and documents: {@code PRIVOXY-1201}. */
    public String code() {
        return "PRIVOXY-" + number;
    }

    /** The SQLState of the exception. */
    public String sqlState() {
        return sqlState;
    }

    /** What happened, in one sentence. */
    public String meaning() {
        return meaning;
    }

    /** What to do about it, in one sentence. */
    public String remedy() {
        return remedy;
    }

    /** The message of an exception: code, what happened in this case, what to do. */
    public String message(String detail) {
        return code() + ": " + (detail.isEmpty() ? meaning : detail) + " [" + remedy + "]";
    }
}
