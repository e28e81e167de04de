package io.leeway.privoxy.internal.sql;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The settings of a session on which it depends how a text is read and what a value means: the one list of them.
 *
 * <p>Those that are <em>pinned</em> are read when a physical connection is first used, and again after whatever may
 * have moved them; a statement that changes one runs alone. Those that are <em>harmless</em> may be set at will. All
 * others may not be set, among them those by which a database chooses its plans: a plan is an order of rows. Settings
 * of the application's own (PostgreSQL's names in two parts) may be set, but what was read before is not used after it,
 * since policies and views of the database may ask for them.
 *
 * <p>What may not be set at all is what the proofs stand on (foreign keys that are checked, one meaning of {@code =
 * NULL}, who the session acts as), and what would show more than rows (traces, statistics, profiling).
 */
public final class SessionSettings {

    /** Names under which pinned settings are set, in lower case. */
    private static final Set<String> PINNED = words("""
            search_path schema schema_search_path standard_conforming_strings names client_encoding charset \
            character_set_client character_set_connection character_set_results collation_connection sql_mode \
            sql_select_limit all timezone time_zone datestyle intervalstyle extra_float_digits bytea_output xmloption \
            lc_monetary lc_numeric lc_time lc_time_names default_text_search_config default_transaction_isolation tx_isolation \
            transaction_isolation group_concat_max_len old_mode""");

    private static final Set<String> PINNED_PHRASES =
            Set.of("character set", "time zone", "session characteristics", "xml option");

    /**
     * Those that say where names are looked up, how much is shown, and how transactions see each other. A view of the
     * policy is compiled with its own search path and has no limit of rows; its values are the same under any of these.
     */
    private static final Set<String> PLACES = Set.of(
            "search_path",
            "schema",
            "schema_search_path",
            "sql_select_limit",
            "default_transaction_isolation",
            "tx_isolation",
            "transaction_isolation",
            "session characteristics",
            "standard_conforming_strings");

    // Times out, names the connection, or says what happens to the log and to locks. Nothing here changes which rows
    // come or in which order.
    private static final Set<String> HARMLESS = words("""
            application_name statement_timeout lock_timeout idle_in_transaction_session_timeout idle_session_timeout \
            transaction_timeout client_min_messages transaction transaction_read_only tx_read_only \
            default_transaction_read_only transaction_deferrable default_transaction_deferrable constraints \
            maintenance_work_mem temp_buffers jit \
            synchronous_commit \
            lc_messages autocommit query_timeout \
            default_lock_timeout isolation wait_timeout interactive_timeout net_read_timeout net_write_timeout \
            lock_wait_timeout innodb_lock_wait_timeout max_statement_time max_execution_time sql_safe_updates \
            sql_notes sql_warnings tcp_keepalives_idle tcp_user_timeout default_tablespace \
            temp_tablespaces check_function_bodies""");

    /** Transactions have other ways to be set, by which views that ask for these see them change anyway. */
    private static final Set<String> TRANSACTIONS =
            Set.of("transaction", "session characteristics", "constraints", "autocommit");

    /**
     * What a single transaction is, which drivers choose for each; a view of the database that asks for it is a limit. And what
     * nobody can ask for.
     */
    private static final Set<String> OF_ONE_TRANSACTION = words("""
            transaction transaction_isolation tx_isolation isolation transaction_read_only tx_read_only \
            transaction_deferrable constraints autocommit""");

    /** Other names under which what {@link #meaning} has is set, or what the user is. */
    private static final Set<String> READ_BACK = Set.of("all", "time zone", "timezone", "role");

    private static final Set<String> POSTGRES_READ_BACK = Set.of("names", "schema", "xml option");
    private static final Set<String> MYSQL_READ_BACK =
            Set.of("names", "charset", "character set", "foreign_key_checks");
    private static final Set<String> H2_READ_BACK = Set.of("schema", "schema_search_path");

    /** What PostgreSQL's values mean, and rows of views, depends on these, as {@code current_setting} names them. */
    private static final List<String> POSTGRES_MEANING = List.of(
            "search_path",
            "standard_conforming_strings",
            "DateStyle",
            "IntervalStyle",
            "TimeZone",
            "timezone_abbreviations",
            "bytea_output",
            "extra_float_digits",
            "client_encoding",
            "xmlbinary",
            "xmloption",
            "array_nulls",
            "row_security",
            "lc_monetary",
            "lc_numeric",
            "lc_time",
            "default_text_search_config");

    /** The same of MariaDB and MySQL. */
    private static final List<String> MYSQL_MEANING = List.of(
            "sql_mode",
            "time_zone",
            "lc_time_names",
            "character_set_client",
            "character_set_connection",
            "character_set_results",
            "collation_connection",
            "div_precision_increment",
            "group_concat_max_len");

    /** What only MariaDB has. */
    private static final List<String> MARIADB_MEANING = List.of("old_mode", "system_versioning_asof");

    /**
     * What must be so, since keys, foreign keys and comparisons would not be what the schema says otherwise.
     * transform_null_equals makes IS NULL of x = NULL; session_replication_role replica switches off the triggers of
     * foreign keys.
     */
    private static final Map<String, String> POSTGRES_DEMANDS =
            Map.of("transform_null_equals", "off", "session_replication_role", "origin");

    // With sql_auto_is_null WHERE id IS NULL finds the row that was inserted last. Without the checks there may be two
    // rows of one key, and rows that refer to none.
    private static final Map<String, String> MYSQL_DEMANDS =
            Map.of("sql_auto_is_null", "0", "foreign_key_checks", "1", "unique_checks", "1");

    private SessionSettings() {}

    /** Whether a name, in lower case, is that of a pinned setting. */
    public static boolean isPinned(String name) {
        return PINNED.contains(name) || PINNED_PHRASES.contains(name);
    }

    /**
     * Whether a pinned setting, by the name under which it is set, changes what values and times mean. Views of a
     * policy that ask for these mean what they meant when the session began, so then it may not be set.
     */
    public static boolean givesMeaning(String name) {
        return isPinned(name) && !PLACES.contains(name);
    }

    /** Whether views that ask for a setting by its name may get another answer after this one is set. */
    public static boolean isAskable(String name) {
        return !TRANSACTIONS.contains(name);
    }

    /**
     * Whether a session needs no account of a setting that is set: it is read back with {@link #meaning}, or no rows
     * depend on it. Any other counts as the application's own ({@code OwnSettings}), so that one that may be set some day
     * is not forgotten.
     *
     * @param name in lower case
     */
    public static boolean isReadBack(String name, Dialect dialect) {
        if (OF_ONE_TRANSACTION.contains(name) || READ_BACK.contains(name)) {
            return true;
        }
        Set<String> others = switch (dialect) {
            case POSTGRESQL -> POSTGRES_READ_BACK;
            case MARIADB -> MYSQL_READ_BACK;
            case H2 -> H2_READ_BACK;
        };
        // What only MariaDB has, MySQL refuses to set.
        return others.contains(name) || meaning(dialect, true).stream().anyMatch(name::equalsIgnoreCase);
    }

    /** Whether a setting changes neither the reading of texts nor what values mean. */
    public static boolean isHarmless(String name) {
        return HARMLESS.contains(name);
    }

    /**
     * The settings that give values their meaning.
     *
     * @param isMariaDb whether it is not MySQL
     */
    public static List<String> meaning(Dialect dialect, boolean isMariaDb) {
        return switch (dialect) {
            case POSTGRESQL -> POSTGRES_MEANING;
            case MARIADB -> isMariaDb ? concat(MYSQL_MEANING, MARIADB_MEANING) : MYSQL_MEANING;
            case H2 -> List.of("TIME ZONE");
        };
    }

    /** The settings that must have a value, with it. */
    public static Map<String, String> demands(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> POSTGRES_DEMANDS;
            case MARIADB -> MYSQL_DEMANDS;
            case H2 -> Map.of();
        };
    }

    private static List<String> concat(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static Set<String> words(String text) {
        return Set.of(text.split(" "));
    }
}
