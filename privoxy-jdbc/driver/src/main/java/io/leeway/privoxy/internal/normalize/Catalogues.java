package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.Locale;
import java.util.Set;

/**
 * Which of the database's own tables are public: those that describe the schema. Not public are the ones that hold
 * samples of data, counts, sizes, activity of other sessions, passwords; nor are single columns of that kind. It is a
 * list of what is allowed.
 *
 * <p>An application and its frameworks ask the catalogue all the time (a driver's {@code DatabaseMetaData},
 * migrations), so it cannot be closed; but it also holds what the tables hold: {@code pg_stats} and
 * {@code pg_statistic} have the most common values of each column, {@code reltuples} and {@code TABLE_ROWS} count
 * hidden rows, {@code pg_stat_activity} shows the texts of others, with their literals. An attacker came to these by
 * {@code TABLE pg_class}, {@code NATURAL JOIN} and whole rows
 * ({@code SecondAttackIT.theCatalogueTellsNoSizesByOtherWays}).
 */
final class Catalogues {

    // Not here on purpose: pg_statistic and pg_stats (samples), pg_stat_* (activity and counts), pg_authid and
    // pg_shadow (passwords), pg_largeobject (data), pg_locks, pg_file_settings, pg_sequences.
    private static final Set<String> PG_CATALOG = words("""
            pg_aggregate pg_am pg_amop pg_amproc pg_attrdef pg_attribute pg_auth_members pg_available_extensions \
            pg_available_extension_versions pg_cast pg_class pg_collation pg_constraint pg_conversion pg_database \
            pg_default_acl pg_depend pg_description pg_enum pg_event_trigger pg_extension pg_index pg_indexes pg_inherits \
            pg_init_privs pg_language pg_matviews pg_namespace pg_opclass pg_operator pg_opfamily pg_partitioned_table \
            pg_policies pg_policy pg_proc pg_publication pg_range pg_rewrite pg_roles pg_rules pg_sequence pg_settings \
            pg_shdescription pg_tables pg_tablespace pg_timezone_abbrevs pg_timezone_names pg_transform pg_trigger \
            pg_ts_config pg_ts_dict pg_ts_parser pg_ts_template pg_type pg_user pg_group pg_views""");

    private static final Set<String> INFORMATION_SCHEMA = words("""
            administrable_role_authorizations applicable_roles attributes character_sets check_constraints \
            check_constraint_routine_usage collation_character_set_applicability collations column_domain_usage \
            column_options column_privileges column_udt_usage columns constraint_column_usage constraint_table_usage \
            data_type_privileges domain_constraints domain_udt_usage domains element_types enabled_roles \
            information_schema_catalog_name key_column_usage parameters referential_constraints role_column_grants \
            role_routine_grants role_table_grants role_udt_grants role_usage_grants routine_privileges routines \
            schema_privileges schemata sequences sql_features sql_implementation_info sql_parts sql_sizing \
            table_constraints table_privileges tables transforms triggered_update_columns triggers udt_privileges \
            usage_privileges user_defined_types user_privileges view_column_usage view_routine_usage view_table_usage \
            views engines plugins statistics indexes index_columns constants enum_values fields rights roles settings \
            synonyms users help keywords""");

    /** Columns that tell how much data there is or when it changed, or what a sequence has come to. */
    private static final Set<String> SIZES = words("""
            reltuples relpages relallvisible relallfrozen table_rows avg_row_length data_length max_data_length \
            index_length data_free auto_increment create_time update_time check_time checksum max_index_length \
            cardinality row_count_estimate last_modification selectivity base_value last_value temporary_size identity_base""");

    /**
     * Tables that have such columns, so that {@code *} must not be asked of them. For example reltuples in PostgreSQL's
     * pg_class, TABLE_ROWS and UPDATE_TIME in MariaDB's TABLES, CARDINALITY in its STATISTICS, SELECTIVITY in H2's
     * COLUMNS, BASE_VALUE in its SEQUENCES.
     */
    private static final Set<String> SIZED =
            Set.of("pg_class", "tables", "statistics", "columns", "sequences", "indexes");

    private Catalogues() {}

    /** Whether a statement may read the table. */
    static boolean isPublic(TableResolver.CatalogueTable table) {
        return switch (table.schema()) {
            case "pg_catalog" -> PG_CATALOG.contains(table.name());
            case "information_schema" -> INFORMATION_SCHEMA.contains(table.name());
            default -> false;
        };
    }

    /** Whether a column of the name shows how much data there is. */
    static boolean isSize(String column) {
        return SIZES.contains(column.toLowerCase(Locale.ROOT));
    }

    /**
     * Whether all columns of the table may be read at once.
     *
     * <p>PostgreSQL's {@code information_schema} has only what the standard names, which are no sizes; MariaDB and H2
     * add columns of their own to it.
     */
    static boolean isFreeOfSizes(TableResolver.CatalogueTable table, Dialect dialect) {
        boolean standard = dialect == Dialect.POSTGRESQL && table.schema().equals("information_schema");
        return standard || !SIZED.contains(table.name());
    }

    private static Set<String> words(String text) {
        return Set.of(text.split(" "));
    }
}
