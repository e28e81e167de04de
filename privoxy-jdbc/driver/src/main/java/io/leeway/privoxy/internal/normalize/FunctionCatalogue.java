package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The functions that a statement may call, by database. It is a list of what is allowed: whatever is not in it may read
 * files, tables or other sessions' state, wait, or give another result each time, and is refused by name.
 *
 * <p>Left out on purpose: {@code random}, {@code clock_timestamp} (another value for each row), {@code currval} and
 * {@code lastval} (tell how far a sequence is), {@code FOUND_ROWS} (counts what a LIMIT cut off),
 * {@code pg_column_size} and the size and statistics functions (depend on storage, not on values).
 *
 * <p>What a wrong entry would let through: a function that reads tables shows rows of which no question was asked
 * ({@code query_to_xml}, {@code pg_read_file}, {@code LOAD_FILE}); one that counts its calls tells how many hidden rows
 * a condition was computed for; one that is another at each call is no term, so that {@code f() = f()} would be proved
 * and not hold.
 *
 * <p>The kind decides further: {@link FunctionKind#STRICT} lets the reader know that the result is NULL where an
 * argument is; a function that is not strict and listed as such would make conditions UNKNOWN that hold. A name that is
 * not sure to be strict on all three databases is only pure.
 */
final class FunctionCatalogue {

    // NULL as soon as any argument is NULL, on all three databases.
    private static final String STRICT = """
            lower upper length char_length character_length octet_length substring substr trim ltrim rtrim replace \
            reverse repeat ascii abs ceil ceiling floor round mod power sqrt exp ln sign md5 position""";

    // Not strict: CONCAT leaves NULLs out (PostgreSQL), GREATEST does on PostgreSQL, COALESCE is for nothing else.
    private static final String PURE = """
            left right lpad rpad concat concat_ws coalesce nullif greatest least translate sin cos tan cot asin acos \
            atan atan2 degrees radians log log10 pi overlay insert""";

    private static final String SESSION = "extract cast";

    private static final String NOW = "now current_timestamp current_date current_time localtime localtimestamp";

    private static final String IDENTITY = "current_user session_user user current_role current_schema version";

    // The same whether a row is there once or twice, so the rows are asked for as a set, without keys.
    private static final String SET_AGGREGATES = "min max any_value bit_and bit_or every";

    private static final String AGGREGATES = """
            count sum avg stddev stddev_pop stddev_samp var_pop var_samp variance bit_xor grouping""";

    private static final String WINDOWS = """
            row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value""";

    private static final String POSTGRES_PURE = """
            initcap bit_length btrim strpos split_part sha224 sha256 sha384 sha512 encode decode chr quote_literal \
            quote_nullable quote_ident starts_with trunc cbrt gcd lcm div factorial width_bucket scale min_scale \
            trim_scale regexp_replace regexp_match regexp_like regexp_count regexp_instr regexp_substr \
            regexp_split_to_array array_length cardinality array_to_string string_to_array array_position \
            array_positions array_append array_prepend array_cat array_remove array_replace array_lower array_upper \
            array_ndims array_dims array_fill trim_array json_build_object jsonb_build_object json_build_array \
            jsonb_build_array json_object jsonb_object json_extract_path json_extract_path_text jsonb_extract_path \
            jsonb_extract_path_text json_typeof jsonb_typeof json_array_length jsonb_array_length jsonb_set \
            jsonb_set_lax jsonb_insert json_strip_nulls jsonb_strip_nulls jsonb_pretty jsonb_path_exists \
            jsonb_path_match jsonb_path_query_array jsonb_path_query_first json_exists json_value json_query \
            num_nulls num_nonnulls sinh cosh tanh asinh acosh atanh normalize is_normalized unistr to_hex get_bit \
            get_byte set_bit set_byte bit_count int4range int8range numrange daterange tsrange isempty lower_inc \
            upper_inc lower_inf upper_inf range_merge uuid_extract_version uuid_extract_timestamp \
            host hostmask masklen netmask network family abbrev broadcast text inet_same_family similarity \
            pg_typeof row ifnull ucase lcase locate space""";

    // By DateStyle, TimeZone, lc_*, search configuration, client encoding. TO_JSON is here as it writes times, FORMAT
    // as it writes anything.
    private static final String POSTGRES_SESSION = """
            to_char to_date to_number to_timestamp date_trunc date_part date_bin make_date make_time make_timestamp \
            make_timestamptz make_interval justify_days justify_hours justify_interval isfinite timezone \
            to_json to_jsonb row_to_json array_to_json to_tsvector to_tsquery plainto_tsquery phraseto_tsquery \
            websearch_to_tsquery date timestamp timestamptz time int2 int4 int8 float4 float8 numeric bool ts_rank ts_rank_cd ts_headline setweight numnode querytree tsvector_to_array \
            tstzrange unaccent jsonb_path_exists_tz jsonb_path_match_tz format convert convert_from convert_to""";

    // txid_current gives the transaction a number if it has none, so it counts its calls: Vetting lets it stand beside
    // tables as a value to write only.
    private static final String POSTGRES_IDENTITY = """
            current_catalog current_database current_schemas pg_backend_pid pg_is_in_recovery current_setting \
            inet_client_addr inet_server_addr inet_server_port pg_client_encoding getdatabaseencoding \
            pg_my_temp_schema txid_current pg_current_xact_id database system_user""";

    private static final String POSTGRES_AGGREGATES = """
            string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg json_arrayagg json_objectagg \
            corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx \
            regr_sxy regr_syy percentile_cont percentile_disc mode range_agg""";

    // They read tables of the catalogue, of which no question is asked. Alone they tell what is public anyway; beside
    // tables they would be values of rows that nobody has revealed.
    private static final String POSTGRES_CATALOGUE = """
            pg_get_expr format_type obj_description col_description shobj_description pg_get_constraintdef \
            pg_get_indexdef pg_get_triggerdef pg_get_partkeydef pg_get_userbyid pg_get_serial_sequence \
            pg_get_viewdef pg_get_function_arguments pg_get_function_result pg_get_function_identity_arguments \
            pg_get_statisticsobjdef_columns pg_table_is_visible pg_type_is_visible pg_function_is_visible \
            pg_is_other_temp_schema pg_encoding_to_char to_regclass to_regtype to_regnamespace to_regproc to_regrole \
            has_table_privilege has_schema_privilege has_column_privilege has_database_privilege \
            has_any_column_privilege has_sequence_privilege pg_has_role _pg_expandarray _pg_char_max_length \
            _pg_numeric_precision _pg_numeric_scale _pg_datetime_precision _pg_truetypid _pg_truetypmod \
            generate_subscripts pg_get_keywords aclexplode acldefault pg_options_to_table pg_indexam_has_property \
            pg_index_column_has_property pg_index_has_property pg_collation_is_visible pg_get_ruledef""";

    // Of an array or a document in an argument, not of a table: their rows follow from the argument.
    private static final String POSTGRES_ROWS = """
            generate_series unnest regexp_split_to_table regexp_matches string_to_table json_array_elements \
            json_array_elements_text jsonb_array_elements jsonb_array_elements_text json_object_keys \
            jsonb_object_keys jsonb_path_query""";

    // Run for each row that a condition lets through, a lock would tell which rows these are, to another session too.
    private static final String POSTGRES_LOCKS = """
            pg_advisory_lock pg_advisory_lock_shared pg_advisory_xact_lock pg_advisory_xact_lock_shared \
            pg_try_advisory_lock pg_try_advisory_lock_shared pg_try_advisory_xact_lock \
            pg_try_advisory_xact_lock_shared pg_advisory_unlock pg_advisory_unlock_shared pg_advisory_unlock_all""";

    private static final String MARIADB_PURE = """
            lcase ucase mid locate instr ord char chr hex unhex bin oct conv sha sha1 sha2 crc32 truncate log2 ifnull \
            if isnull interval field elt find_in_set make_set export_set strcmp soundex quote substring_index space \
            regexp_replace regexp_substr regexp_instr json_extract json_value json_query json_unquote json_contains \
            json_contains_path json_length json_keys json_type json_valid json_object json_array json_set json_insert \
            json_replace json_remove json_merge json_merge_patch json_merge_preserve json_search json_overlaps \
            json_exists json_quote json_depth json_compact json_detailed json_loose json_pretty json_array_append \
            json_array_insert json_equals json_normalize inet_aton inet_ntoa inet6_aton inet6_ntoa is_ipv4 is_ipv6 \
            uuid_to_bin bin_to_uuid is_uuid to_base64 from_base64 bit_count bit_length weight_string values value \
            natural_sort_key nvl nvl2 to_char compress uncompress aes_encrypt aes_decrypt regexp_like""";

    private static final String MARIADB_SESSION = """
            date time timestamp year month day dayofmonth dayofweek dayofyear dayname monthname hour minute second \
            microsecond week weekday weekofyear yearweek quarter last_day date_format time_format str_to_date \
            date_add date_sub adddate subdate addtime subtime datediff timediff timestampdiff timestampadd to_days \
            from_days to_seconds time_to_sec sec_to_time makedate maketime period_add period_diff get_format \
            from_unixtime convert_tz format convert binary""";

    private static final String MARIADB_NOW = "curdate curtime utc_date utc_time utc_timestamp unix_timestamp";

    // LAST_INSERT_ID without an argument; with one it becomes what later calls give (Vetting).
    private static final String MARIADB_IDENTITY = """
            database schema system_user connection_id charset collation coercibility last_insert_id""";

    private static final String MARIADB_AGGREGATES =
            "std group_concat json_arrayagg json_objectagg median " + "percentile_cont percentile_disc";

    private static final String MARIADB_LOCKS = "get_lock release_lock release_all_locks is_free_lock is_used_lock";

    private static final String H2_PURE = """
            lcase ucase bit_length locate instr char chr hextoraw rawtohex stringencode stringdecode stringtoutf8 \
            utf8tostring soundex difference space truncate trunc ifnull nvl nvl2 casewhen decode bitand bitor bitxor \
            bitnot bitget lshift rshift rotateleft rotateright sinh cosh tanh regexp_replace regexp_like \
            regexp_substr quote_ident btrim array_contains array_append array_cat array_slice array_get array_length \
            cardinality trim_array json_object json_array hash ora_hash to_hex gcd lcm xmltext xmlattr xmlnode \
            xmlcomment xmlcdata""";

    private static final String H2_SESSION = """
            dateadd datediff timestampadd timestampdiff day_name day_of_month day_of_week day_of_year dayname \
            dayofmonth dayofweek dayofyear hour minute second month monthname year quarter week iso_year iso_week \
            iso_day_of_week formatdatetime parsedatetime date_trunc last_day to_char to_date to_timestamp convert""";

    private static final String H2_NOW = "curdate curtime sysdate systimestamp today";

    private static final String H2_IDENTITY = """
            current_catalog current_path database schema system_user h2version session_id lock_mode readonly autocommit \
            database_to_upper""";

    private static final String H2_AGGREGATES = """
            listagg string_agg group_concat array_agg json_arrayagg json_objectagg median mode percentile_cont \
            percentile_disc corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 \
            regr_slope regr_sxx regr_sxy regr_syy ratio_to_report""";

    private static final Map<Dialect, FunctionCatalogue> BY_DIALECT = new ConcurrentHashMap<>();

    private final boolean foldsCase;
    private final Map<String, FunctionKind> kinds = new HashMap<>(512);

    // PostgreSQL finds functions by name as folded by the lexer: "Lower" is another function than lower, a user's.
    private FunctionCatalogue(Dialect dialect) {
        foldsCase = dialect != Dialect.POSTGRESQL;
        add(FunctionKind.STRICT, STRICT);
        add(FunctionKind.PURE, PURE);
        add(FunctionKind.SESSION, SESSION);
        add(FunctionKind.NOW, NOW);
        add(FunctionKind.IDENTITY, IDENTITY);
        add(FunctionKind.SET_AGGREGATE, SET_AGGREGATES);
        add(FunctionKind.AGGREGATE, AGGREGATES);
        add(FunctionKind.WINDOW, WINDOWS);
        switch (dialect) {
            case POSTGRESQL -> addPostgres();
            case MARIADB -> addMariaDb();
            case H2 -> addH2();
        }
    }

    /** The catalogue of a database; made when first asked for. */
    static FunctionCatalogue of(Dialect dialect) {
        return BY_DIALECT.computeIfAbsent(dialect, FunctionCatalogue::new);
    }

    /** The kind of a function, or null if it must not be called. */
    @Nullable
    FunctionKind kind(String name) {
        return kinds.get(canonical(name));
    }

    /** The name under which it is known: in lower case where the database does not tell cases apart. */
    String canonical(String name) {
        return foldsCase ? name.toLowerCase(Locale.ROOT) : name;
    }

    private void addPostgres() {
        add(FunctionKind.PURE, POSTGRES_PURE);
        add(FunctionKind.SESSION, POSTGRES_SESSION);
        add(FunctionKind.NOW, "transaction_timestamp statement_timestamp age curdate curtime");
        add(FunctionKind.IDENTITY, POSTGRES_IDENTITY);
        add(FunctionKind.SET_AGGREGATE, "bool_and bool_or");
        add(FunctionKind.AGGREGATE, POSTGRES_AGGREGATES);
        add(FunctionKind.CATALOGUE, POSTGRES_CATALOGUE);
        add(FunctionKind.ROWS, POSTGRES_ROWS);
        // Some tell the order of calls (sequences, uuidv7 with the time in it), some nothing: WriteReader.isNext asks
        // which.
        add(FunctionKind.FRESH, "nextval gen_random_uuid uuid_generate_v4 uuidv4 uuidv7");
        add(FunctionKind.LOCK, POSTGRES_LOCKS);
    }

    private void addMariaDb() {
        add(FunctionKind.PURE, MARIADB_PURE);
        add(FunctionKind.SESSION, MARIADB_SESSION);
        add(FunctionKind.NOW, MARIADB_NOW);
        add(FunctionKind.IDENTITY, MARIADB_IDENTITY);
        add(FunctionKind.AGGREGATE, MARIADB_AGGREGATES);
        add(FunctionKind.FRESH, "nextval uuid uuid_short sys_guid uuid_v4 uuid_v7");
        add(FunctionKind.LOCK, MARIADB_LOCKS);
    }

    private void addH2() {
        add(FunctionKind.PURE, H2_PURE);
        add(FunctionKind.SESSION, H2_SESSION);
        add(FunctionKind.NOW, H2_NOW);
        add(FunctionKind.IDENTITY, H2_IDENTITY);
        add(FunctionKind.SET_AGGREGATE, "some any bool_and bool_or bit_nand bit_nor");
        add(FunctionKind.AGGREGATE, H2_AGGREGATES);
        add(FunctionKind.AGGREGATE, "bit_xor_agg bit_xnor_agg");
        add(FunctionKind.SET_AGGREGATE, "bit_and_agg bit_or_agg bit_nand_agg bit_nor_agg");
        add(FunctionKind.ROWS, "unnest system_range");
        add(FunctionKind.FRESH, "nextval random_uuid");
    }

    private void add(FunctionKind kind, String names) {
        for (String name : names.split(" ")) {
            kinds.put(name, kind);
        }
    }
}
