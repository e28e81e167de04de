package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.Refusal;
import io.leeway.privoxy.UndecidedQueryException;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import java.sql.SQLException;
import java.util.List;

/**
 * That a statement is not sent, as it is told. What the application catches, what is counted, logged and recorded, and
 * what the command line prints are answers of one object, so that no two of them can say different things of one
 * refusal. None of it has data values, unless options ask for them.
 */
public sealed interface Denial extends Ruling {

    /**
     * What is thrown; each call may make it anew.
     *
     * <p>Made anew, since an exception has the stack of where it was made, and one that is remembered would show
     * another thread's.
     */
    SQLException exception();

    /** What it counts as. */
    Outcome outcome();

    /** The code of the catalogue; empty if it is no error of ours. */
    String code();

    /** Why, in words that may be recorded; empty if they are not ours. */
    String reason();

    /** What the log says. */
    String logged();

    /** Whether no mode lets it pass any more: the guard knows those of the tables, and has asked them. */
    default boolean isFinal() {
        return false;
    }

    /** The code behind the word "Refused", where the reason does not begin with it. */
    default String label() {
        return "";
    }

    /** The views that come nearest, nearest first; empty if none was looked for. */
    default List<Refusal.NearestView> nearestViews() {
        return List.of();
    }

    /** Two databases that show the violation, as text; empty if none were found or asked for. */
    default String counterexample() {
        return "";
    }

    /**
     * It was decided on, under the modes of the tables.
     *
     * @param error undecided, or one of the violations
     * @param why in words
     */
    record Decided(PrivoxyErrorCode error, Refusal why) implements Denial {

        @Override
        public SQLException exception() {
            // Two classes, so that an application can tell "not allowed" from "not found out" without reading a
            // message.
            return error == PrivoxyErrorCode.UNDECIDED
                    ? new UndecidedQueryException(why)
                    : new PolicyViolationException(error, why);
        }

        @Override
        public Outcome outcome() {
            return Denial.outcome(error);
        }

        @Override
        public String code() {
            return error.code();
        }

        @Override
        public String reason() {
            return why.reason();
        }

        @Override
        public String logged() {
            return String.valueOf(exception().getMessage());
        }

        /** The guard has asked the modes of all tables already, so no mode of the connection may undo it. */
        @Override
        public boolean isFinal() {
            return true;
        }

        @Override
        public String label() {
            return " (" + code() + ")";
        }

        @Override
        public List<Refusal.NearestView> nearestViews() {
            return why.nearestViews();
        }

        @Override
        public String counterexample() {
            return why.counterexample();
        }
    }

    /**
     * It could not be decided on: the text is not understood, or something of ours does not work.
     *
     * <p>No table's mode is known for it; the mode of the connection decides whether it passes ({@link Audit}).
     */
    record Unread(PrivoxyErrorCode error, SQLException exception) implements Denial {

        @Override
        public Outcome outcome() {
            return Denial.outcome(error);
        }

        @Override
        public String code() {
            return error.code();
        }

        @Override
        public String reason() {
            return String.valueOf(exception.getMessage());
        }

        @Override
        public String logged() {
            return reason();
        }
    }

    /**
     * The database, or its driver, refused what the guard asked it. Its words may have data in them.
     *
     * <p>Passed on as it is, so that an application sees the error that it would see without privoxy.
     */
    record OfDatabase(SQLException exception) implements Denial {

        @Override
        public Outcome outcome() {
            return Outcome.ERROR;
        }

        @Override
        public String code() {
            return "";
        }

        @Override
        public String reason() {
            return "";
        }

        @Override
        public String logged() {
            // Class and state only: the database's words may quote a row.
            return exception.getClass().getName() + ", SQLState " + exception.getSQLState();
        }
    }

    /** What was thrown instead of a ruling. */
    static Denial of(SQLException thrown) {
        return thrown instanceof PrivoxyException own ? new Unread(own.code(), thrown) : new OfDatabase(thrown);
    }

    private static Outcome outcome(PrivoxyErrorCode code) {
        // An error that this switch does not know does not compile: none is counted as something by omission.
        return switch (code) {
            case VIOLATION, NO_CONTEXT, WRITE_REFUSED, UNWRAP_REFUSED, NOT_REVIEWED -> Outcome.DENY;
            case UNDECIDED -> Outcome.UNDECIDED;
            case UNSUPPORTED_SQL, UNSUPPORTED_CALL, SQL_GRAMMAR, NO_TABLE, NO_COLUMN -> Outcome.UNSUPPORTED;
            case CONFIGURATION,
                    NO_DRIVER,
                    POLICY,
                    SCHEMA,
                    SCHEMA_DRIFT,
                    TEMPLATES,
                    POLICY_NAMES,
                    CONTEXT,
                    CONTEXT_CONTRADICTION,
                    REQUEST_ENDED,
                    SESSION,
                    SCHEMA_OF_TRANSACTION,
                    SCHEMA_OF_STATEMENT,
                    SCHEMA_OF_WRITE,
                    INTERNAL -> Outcome.ERROR;
        };
    }
}
