package io.leeway.privoxy.internal.traffic;

import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one line of a recording says. Requests and statements are named; the names are unique in a file.
 *
 * <p>Together they tell what each decision knew: the context, the rows read before, and what was forgotten since. With
 * less a decision could not be made again with another policy, which is what recordings are for.
 */
public sealed interface TrafficRecord {

    /**
     * A process began to record for one policy on one database.
     *
     * @param dialect of the database
     * @param policy hash of the policy in force
     */
    record Start(Instant at, String dialect, String policy) implements TrafficRecord {}

    /** A request made its first statement. */
    record Begin(String request, Map<String, @Nullable Object> context) implements TrafficRecord {
        public Begin {
            context = Collections.unmodifiableMap(new LinkedHashMap<>(context));
        }
    }

    /** A request ended. */
    record End(String request) implements TrafficRecord {}

    /**
     * A statement was decided on.
     *
     * @param statement its name
     * @param request whose it is; null if nobody said who asks
     * @param at when
     * @param sql the text; null if it was too long to be recorded
     * @param session the settings under which it was read
     * @param parameters what was bound, in order
     * @param decision what was decided
     * @param columns JDBC indexes of the result columns that are recorded; empty if nothing is learnt from its rows
     */
    record Decided(
            String statement,
            @Nullable String request,
            Instant at,
            @Nullable String sql,
            Session session,
            List<@Nullable Object> parameters,
            Decision decision,
            List<Integer> columns)
            implements TrafficRecord {
        public Decided {
            parameters = Collections.unmodifiableList(new ArrayList<>(parameters));
            columns = List.copyOf(columns);
        }
    }

    /**
     * A row that the application read.
     *
     * @param statement whose
     * @param cells one for each recorded column; {@link TypedValues#UNKNOWN} where the value is not kept
     */
    record Row(String statement, List<@Nullable Object> cells) implements TrafficRecord {
        public Row {
            cells = Collections.unmodifiableList(new ArrayList<>(cells));
        }
    }

    /** The application has seen the end of a statement's rows. */
    record Exhausted(String statement) implements TrafficRecord {}

    /**
     * A point in time of a request to which a rollback may lead back.
     *
     * <p>Rollbacks lead back to marks, so both are recorded.
     *
     * @param mark rises within the request
     */
    record Mark(String request, long mark) implements TrafficRecord {}

    /** What the request has read since a mark became doubtful. */
    record Forget(String request, long since) implements TrafficRecord {}

    /** Lines are missing here because they came faster than they could be written. */
    record Lost(long lines) implements TrafficRecord {}

    /**
     * Settings of a database session that change the reading of SQL.
     *
     * @param searchPath where unqualified names are looked up
     * @param settings as {@code name=value}
     */
    record Session(List<String> searchPath, List<String> settings) {
        public Session {
            searchPath = List.copyOf(searchPath);
            settings = List.copyOf(settings);
        }
    }

    /**
     * A decision.
     *
     * @param outcome what it was
     * @param stage what made it
     * @param nanos how long it took
     * @param passed whether the statement was sent; a refused one is in audit mode
     * @param code of the refusal, or empty
     * @param queryId short name of the query, or empty
     * @param query the text without literals, or empty
     * @param reason why it was refused, or empty
     * @param nearest the views that came nearest and what each lacked, in words; empty if it was not refused
     */
    record Decision(
            Outcome outcome,
            Stage stage,
            long nanos,
            boolean passed,
            String code,
            String queryId,
            String query,
            String reason,
            List<String> nearest) {
        public Decision {
            nearest = List.copyOf(nearest);
        }
    }
}
