package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.schema.SchemaVersion;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * All that belongs to one version of policy and schema. A new version is a new epoch: nothing that was derived from the
 * old one is used any more. Thread-safe.
 *
 * <p>Texts, plans, goals, templates, remembered refusals and believed combinations all hang on one of these, so
 * that a change of policy or schema drops them together and cannot forget one.
 */
final class Epoch {

    private final LoadedPolicy loaded;
    private final long schemaVersion;
    private final SchemaVersion schema;
    private final CompiledPolicy policy;
    private final Decider decider;
    private final SeveralStates states;
    private final Refusals refusals;
    private final boolean refusesWrites;
    private final boolean determinesOrder;
    private final PrivoxyMetricsTracker tracker;
    private final TableModes modes;
    private final TellingColumns tellingColumns;
    private final DecisionListener listener;
    private final Audit audit;

    Epoch(
            LoadedPolicy loaded,
            long schemaVersion,
            SchemaVersion schema,
            CompiledPolicy policy,
            Decider decider,
            SeveralStates states,
            Refusals refusals,
            PrivoxyConfig config,
            PrivoxyMetricsTracker tracker,
            DecisionListener listener,
            TableModes modes) {
        this.loaded = loaded;
        this.schemaVersion = schemaVersion;
        this.schema = schema;
        this.policy = policy;
        this.decider = decider;
        this.states = states;
        this.refusals = refusals;
        // In audit mode nothing is refused, writes neither.
        this.refusesWrites = config.get(PrivoxyOptions.WRITES) == PrivoxyOptions.Writes.REFUSE
                && config.mode() == PrivoxyMode.ENFORCE;
        this.determinesOrder = config.get(PrivoxyOptions.ORDER) == PrivoxyOptions.Order.DETERMINED;
        this.tracker = tracker;
        this.audit = new Audit(tracker);
        this.modes = modes;
        this.tellingColumns = new TellingColumns(policy.policy(), policy::table);
        this.listener = listener;
    }

    /**
     * Whether policy and schema are still those.
     *
     * <p>Two comparisons, made with each statement.
     */
    @SuppressWarnings("ReferenceEquality") // Each loading makes a new object.
    boolean isCurrent(LoadedPolicy now) {
        return loaded == now && schema.version() == schemaVersion;
    }

    /**
     * Whether the schema is another one than the policy was compiled against.
     *
     * <p>Tells a change of the schema from one of the policy, as only the first needs the policy compiled anew.
     */
    boolean isSchemaChanged() {
        return schema.version() != schemaVersion;
    }

    CompiledPolicy policy() {
        return policy;
    }

    Decider decider() {
        return decider;
    }

    /** Who decides on statements that may read several states of the database. */
    SeveralStates states() {
        return states;
    }

    Refusals refusals() {
        return refusals;
    }

    TableModes modes() {
        return modes;
    }

    /** Which columns of results are remembered. */
    TellingColumns tellingColumns() {
        return tellingColumns;
    }

    /**
     * Whether a condition of the policy names such a column.
     *
     * <p>A new column of that name would take the place of the one that a condition means, or give it a value that
     * somebody chose.
     */
    boolean comparesColumn(String name) {
        return loaded.compared().contains(name.toLowerCase(Locale.ROOT));
    }

    /** Whether no order of rows may tell what is not shown. */
    boolean determinesOrder() {
        return determinesOrder;
    }

    /** Whether what some view shows depends on the time or on settings of the session. */
    boolean asksSession() {
        return loaded.asksSession();
    }

    /** Whether some view asks for settings of the session by their names. */
    boolean asksSettings() {
        return loaded.asksSettings();
    }

    boolean refusesWrites() {
        return refusesWrites;
    }

    /** Who is told every single decision. */
    DecisionListener listener() {
        return listener;
    }

    /** Who decides whether refused statements pass. */
    Audit audit() {
        return audit;
    }

    PrivoxyMetricsTracker tracker() {
        return tracker;
    }

    /**
     * The request's parameters, as values of the declared types; what is not declared or does not fit is left out.
     *
     * <p>Remembered with the request, as each statement of it asks for the same.
     */
    Map<String, Value> context(Request request) {
        return request.context(this, this::read);
    }

    private Map<String, Value> read(Request request) {
        Map<String, Value> context = new HashMap<>();
        for (Map.Entry<String, ColumnType> declared : policy.policy().context().entrySet()) {
            Value value = request.context(declared.getKey(), declared.getValue().kind());
            // What cannot be read as the declared type is missing, which refuses; to take it as text would compare
            // what the database does not.
            if (value != null) {
                context.put(declared.getKey(), value);
            }
        }
        return context;
    }
}
