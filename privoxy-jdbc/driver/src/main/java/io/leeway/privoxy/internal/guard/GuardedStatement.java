package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.StatementPlan.Held;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.sql.Addition;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A statement that was read. Immutable, shared between connections. */
public interface GuardedStatement {

    /**
     * Whether policy and schema are still those that it was read under; if not, it is to be prepared anew.
     *
     * <p>A prepared statement may be executed years after it was prepared.
     */
    default boolean isCurrent() {
        return true;
    }

    /**
     * What is to be added to the text before it is sent.
     *
     * <p>An ORDER BY, where the order of rows would tell something ({@code RowOrderIT}). What is decided on is the
     * text with it.
     */
    default List<Addition.Placed> additions() {
        return List.of();
    }

    /**
     * A text with what is to be added to it.
     *
     * @param sql that this was read from, or the beginning of that
     */
    default String toRun(String sql) {
        return Addition.put(sql, additions());
    }

    /** What the statement is; of a multi-statement text the most restrictive. */
    StatementPlan.Kind kind();

    /** The context command that this text is ({@code SET privoxy.MyUId = 2}); such a text is never sent. */
    @Nullable
    ContextCommand contextCommand();

    /**
     * Whether its effect on the session changes how later text is read (search path, SQL mode): the driver must read
     * the session's state anew after it.
     *
     * <p>What is read under the settings of before must not run under those of after.
     */
    boolean changesSession();

    /**
     * Whether rows that are read after it may mean something else than those before, as views may ask for a
     * setting.
     *
     * <p>Rows stay facts only under settings that give values the same meaning ({@code SettingsCasesIT}).
     */
    default boolean changesMeaning() {
        return false;
    }

    /** Whether it, or one of the statements of its text, begins or ends a transaction. */
    default boolean controlsTransaction() {
        return kind() == StatementPlan.Kind.TRANSACTION;
    }

    /** What it does to the session and its transaction besides. */
    default SessionEffects effects() {
        return SessionEffects.NONE;
    }

    /** Which of the rows that it reads it locks or writes. */
    default Held held() {
        return Held.SOME;
    }

    /** Names of the tables that it reads as they are now, also in a transaction with a snapshot of others. */
    default Set<String> outsideSnapshots() {
        return Set.of();
    }

    /** Names of the tables that it writes, or {@link StatementPlan#ANYTHING}. */
    default Set<String> writes() {
        return Set.of(StatementPlan.ANYTHING);
    }

    /** Whether something is to be decided on: the statement reads or writes rows. */
    default boolean asks() {
        return true;
    }

    /** How many columns its result has; {@link StatementPlan#ANY_NUMBER} if that is not known. */
    default int columns() {
        return StatementPlan.ANY_NUMBER;
    }

    /**
     * Decides for these parameter values.
     *
     * @param request the request in progress; a request without context answers only what context-free views cover
     * @param parameters values by JDBC parameter index; what cannot be known is {@link Parameters#UNKNOWN}
     * @return the permission, to which the driver reports back, or why there is none
     */
    Ruling check(Request request, Parameters parameters);
}
