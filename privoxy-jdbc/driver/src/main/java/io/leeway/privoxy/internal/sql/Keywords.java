package io.leeway.privoxy.internal.sql;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What each dialect's keywords may not be. A word that is not listed may be anything. The lists were taken from the
 * servers themselves (PostgreSQL's {@code pg_get_keywords}, every word of MariaDB's {@code KEYWORDS} and H2's tried as
 * a name), joined with what later versions reserve; an integration test compares them with the server at hand.
 *
 * <p>Why it matters: whether a word is a name decides where a clause ends. {@code SELECT 1 COLLATE FROM t} has an alias
 * on PostgreSQL; a parser that reserves the word sees no FROM, and no table to protect.
 */
final class Keywords {

    /** May not be a column or the first part of a name. */
    static final int NOT_COLUMN = 1;
    /** May not be called as an ordinary function. */
    static final int NOT_FUNCTION = 1 << 1;
    /** May not be a table or an alias of one. */
    static final int NOT_TABLE = 1 << 2;
    /** May not name a column without AS. */
    static final int NOT_BARE_LABEL = 1 << 3;
    /** May not name a column even with AS. */
    static final int NOT_LABEL = 1 << 4;
    /** Must have its parenthesis glued to it unless spaces are ignored (MariaDB). */
    static final int GLUED_FUNCTION = 1 << 5;

    // To MariaDB and H2 a reserved word is none of these without quotes.
    private static final int RESERVED = NOT_COLUMN | NOT_FUNCTION | NOT_TABLE | NOT_BARE_LABEL | NOT_LABEL;

    private static final Keywords POSTGRESQL = postgresql();
    private static final Keywords MARIADB = mariaDb();
    private static final Keywords H2 = h2();

    private final int mask;
    // A hash table by open addressing over the text itself: a word is looked up without making a string of it.
    private final String[] words;
    private final int[] flags;

    private Keywords(Map<String, Integer> table) {
        int capacity = Integer.highestOneBit(table.size() * 4);
        mask = capacity - 1;
        words = new String[capacity];
        flags = new int[capacity];
        table.forEach((word, flag) -> {
            int i = hash(word, 0, word.length()) & mask;
            while (words[i] != null) {
                i = i + 1 & mask;
            }
            words[i] = word;
            flags[i] = flag;
        });
    }

    static Keywords of(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB -> MARIADB;
            case H2 -> H2;
        };
    }

    /** Number of the word in a range of the text, for {@link #word} and {@link #flags}; -1 if it is not listed. */
    int find(CharSequence text, int start, int end) {
        int i = hash(text, start, end) & mask;
        while (words[i] != null) {
            if (Chars.equalsWord(text, start, end, words[i])) {
                return i;
            }
            i = i + 1 & mask;
        }
        return -1;
    }

    String word(int number) {
        return words[number];
    }

    int flags(int number) {
        return flags[number];
    }

    /** All words that are listed. */
    List<String> words() {
        return Arrays.stream(words).filter(Objects::nonNull).toList();
    }

    private static int hash(CharSequence text, int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            hash = hash * 31 + Chars.upper(text.charAt(i));
        }
        return hash ^ hash >>> 15;
    }

    private static void put(Map<String, Integer> table, int flags, String words) {
        for (String word : words.split("\\s+")) {
            table.merge(word, flags, (a, b) -> a | b);
        }
    }

    /** Words that begin a syntax of their own where an expression begins, reserved or not. */
    private static Map<String, Integer> grammarWords() {
        var table = new HashMap<String, Integer>();
        put(table, 0, """
                ADDDATE ANY ARRAY BINARY BIT BOOLEAN CASE CAST CHAR CHARACTER COALESCE CONVERT CURRENT CURRENT_CATALOG \
                CURRENT_DATE CURRENT_PATH CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DATE \
                DATEADD DATEDIFF DATE_TRUNC DEFAULT DOUBLE EXISTS EXTRACT FALSE GREATEST GROUPING GROUP_CONCAT INTERVAL JSON \
                LEAST LISTAGG LOCALTIME LOCALTIMESTAMP MATCH MID NATIONAL NCHAR NEXT NOT NULL NULLIF OVERLAY POSITION \
                PREVIOUS ROW ROWNUM SELECT SESSION_USER SUBSTR SUBSTRING SYSTEM_USER TIME TIMESTAMP TIMESTAMPADD \
                TIMESTAMPDIFF TRIM TRUE TRY_CAST USER UTC_DATE UTC_TIME UTC_TIMESTAMP UUID VALUE VALUES""");
        return table;
    }

    private static Keywords postgresql() {
        var table = grammarWords();
        put(table, NOT_COLUMN | NOT_FUNCTION | NOT_TABLE, """
                ALL ANALYSE ANALYZE AND ANY ARRAY AS ASC ASYMMETRIC BOTH CASE CAST CHECK COLLATE COLUMN CONSTRAINT CREATE \
                CURRENT_CATALOG CURRENT_DATE CURRENT_ROLE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEFAULT DEFERRABLE \
                DESC DISTINCT DO ELSE END EXCEPT FALSE FETCH FOR FOREIGN FROM GRANT GROUP HAVING IN INITIALLY INTERSECT \
                INTO LATERAL LEADING LIMIT LOCALTIME LOCALTIMESTAMP NOT NULL OFFSET ON ONLY OR ORDER PLACING PRIMARY \
                REFERENCES RETURNING SELECT SESSION_USER SOME SYMMETRIC SYSTEM_USER TABLE THEN TO TRAILING TRUE UNION \
                UNIQUE USER USING VARIADIC WHEN WHERE WINDOW WITH""");
        put(table, NOT_COLUMN | NOT_TABLE, """
                AUTHORIZATION BINARY COLLATION CONCURRENTLY CROSS CURRENT_SCHEMA FREEZE FULL ILIKE INNER IS ISNULL JOIN \
                LEFT LIKE NATURAL NOTNULL OUTER OVERLAPS RIGHT SIMILAR TABLESAMPLE VERBOSE""");
        put(table, NOT_FUNCTION, """
                BETWEEN BIGINT BIT BOOLEAN CHAR CHARACTER COALESCE DEC DECIMAL EXISTS EXTRACT FLOAT GREATEST GROUPING \
                INOUT INT INTEGER INTERVAL JSON JSON_ARRAY JSON_ARRAYAGG JSON_EXISTS JSON_OBJECT JSON_OBJECTAGG JSON_QUERY \
                JSON_SCALAR JSON_SERIALIZE JSON_TABLE JSON_VALUE LEAST MERGE_ACTION NATIONAL NCHAR NONE NORMALIZE NULLIF \
                NUMERIC OUT OVERLAY POSITION PRECISION REAL ROW SETOF SMALLINT SUBSTRING TIME TIMESTAMP TREAT TRIM VALUES \
                VARCHAR XMLATTRIBUTES XMLCONCAT XMLELEMENT XMLEXISTS XMLFOREST XMLNAMESPACES XMLPARSE XMLPI XMLROOT \
                XMLSERIALIZE XMLTABLE""");
        put(table, NOT_BARE_LABEL, """
                ARRAY AS CHAR CHARACTER CREATE DAY EXCEPT FETCH FILTER FOR FROM GRANT GROUP HAVING HOUR INTERSECT INTO \
                ISNULL LIMIT MINUTE MONTH NOTNULL OFFSET ON ORDER OVER OVERLAPS PRECISION RETURNING SECOND TO UNION \
                VARYING WHERE WINDOW WITH WITHIN WITHOUT YEAR""");
        return new Keywords(table);
    }

    private static Keywords mariaDb() {
        var table = grammarWords();
        put(table, RESERVED, """
                ACCESSIBLE ADD ALL ALTER ANALYZE AND AS ASC ASENSITIVE BEFORE BETWEEN BIGINT BINARY BLOB BOTH BY CALL \
                CASCADE CASE CHANGE CHAR CHARACTER CHECK COLLATE COLUMN CONDITION CONSTRAINT CONTINUE CONVERT CREATE CROSS \
                CURRENT_DATE CURRENT_ROLE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER CURSOR DATABASES DAY_HOUR \
                DAY_MICROSECOND DAY_MINUTE DAY_SECOND DEC DECIMAL DECLARE DEFAULT DELAYED DELETE DELETE_DOMAIN_ID DESC \
                DESCRIBE DETERMINISTIC DISTINCT DISTINCTROW DIV DOUBLE DO_DOMAIN_IDS DROP DUAL EACH ELSE ELSEIF ENCLOSED \
                ESCAPED EXCEPT EXISTS EXIT EXPLAIN FALSE FETCH FLOAT FLOAT4 FLOAT8 FOR FORCE FOREIGN FROM FULLTEXT GRANT \
                GROUP HAVING HIGH_PRIORITY HOUR_MICROSECOND HOUR_MINUTE HOUR_SECOND IF IGNORE IGNORE_DOMAIN_IDS IN INDEX \
                INFILE INNER INOUT INSENSITIVE INSERT INT INT1 INT2 INT3 INT4 INT8 INTEGER INTERSECT INTERVAL INTO IS \
                ITERATE JOIN KEY KEYS KILL LEADING LEAVE LEFT LIKE LIMIT LINEAR LINES LOAD LOCALTIME LOCALTIMESTAMP LOCK \
                LONG LONGBLOB LONGTEXT LOOP LOW_PRIORITY MASTER_DEMOTE_TO_REPLICA MASTER_DEMOTE_TO_SLAVE \
                MASTER_SSL_VERIFY_SERVER_CERT MATCH MAXVALUE MEDIUMBLOB MEDIUMINT MEDIUMTEXT MIDDLEINT MINUTE_MICROSECOND \
                MINUTE_SECOND MOD MODIFIES NATURAL NOT NO_WRITE_TO_BINLOG NULL NUMERIC OFFSET ON OPTIMIZE OPTIONALLY OR \
                ORDER OUT OUTER OUTFILE OVER PAGE_CHECKSUM PARSE_VCOL_EXPR PARTITION PORTION PRECISION PRIMARY PROCEDURE \
                PURGE RANGE READ READS READ_WRITE REAL RECURSIVE REFERENCES REF_SYSTEM_ID REGEXP RELEASE RENAME REPEAT \
                REPLACE REQUIRE RESIGNAL RESTRICT RETURN RETURNING REVOKE RIGHT RLIKE ROWS ROW_NUMBER SCHEMAS \
                SECOND_MICROSECOND SELECT SENSITIVE SEPARATOR SET SHOW SIGNAL SMALLINT SPATIAL SPECIFIC SQL SQLEXCEPTION \
                SQLSTATE SQLWARNING SQL_AFTER_GTIDS SQL_BEFORE_GTIDS SQL_BIG_RESULT SQL_CALC_FOUND_ROWS SQL_SMALL_RESULT \
                SSL STARTING STATS_AUTO_RECALC STATS_PERSISTENT STATS_SAMPLE_PAGES STRAIGHT_JOIN TABLE TERMINATED THEN \
                TINYBLOB TINYINT TINYTEXT TO TRAILING TRIGGER TRUE UNDO UNION UNIQUE UNLOCK UNSIGNED UPDATE USAGE USE \
                USING UTC_DATE UTC_TIME UTC_TIMESTAMP VALUES VARBINARY VARCHAR VARCHARACTER VARYING WHEN WHERE WHILE WITH \
                WRITE XOR YEAR_MONTH ZEROFILL""");
        // Reserved as aliases by MySQL 8 only, where they would begin a clause.
        put(table, NOT_TABLE, "WINDOW LATERAL QUALIFY TABLESAMPLE");
        put(table, NOT_BARE_LABEL, "SOUNDS");
        put(table, GLUED_FUNCTION, """
                ADDDATE ADD_MONTHS BIT_AND BIT_OR BIT_XOR CAST COUNT CUME_DIST CURDATE CURTIME DATE_ADD DATE_FORMAT \
                DATE_SUB DENSE_RANK EXTRACT FIRST_VALUE GROUP_CONCAT JSON_ARRAYAGG JSON_OBJECTAGG LAG LAST_VALUE LEAD MAX \
                MEDIAN MID MIN NOW NTH_VALUE NTILE PERCENTILE_CONT PERCENTILE_DISC PERCENT_RANK POSITION RANK ROW_NUMBER \
                SESSION_USER STD STDDEV STDDEV_POP STDDEV_SAMP ST_COLLECT SUBDATE SUBSTR SUBSTRING SUM SYSDATE SYSTEM_USER \
                TRIM TRIM_ORACLE VARIANCE VAR_POP VAR_SAMP""");
        return new Keywords(table);
    }

    private static Keywords h2() {
        var table = grammarWords();
        put(table, RESERVED, """
                ALL AND ANY ARRAY AS ASYMMETRIC AUTHORIZATION BETWEEN CASE CAST CHECK CONSTRAINT CROSS CURRENT_CATALOG \
                CURRENT_DATE CURRENT_PATH CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DAY \
                DEFAULT DISTINCT ELSE END EXCEPT EXISTS FALSE FETCH FOR FOREIGN FROM FULL GROUP HAVING HOUR IF IN INNER \
                INTERSECT INTERVAL IS JOIN KEY LEFT LIKE LIMIT LOCALTIME LOCALTIMESTAMP MINUS MINUTE MONTH NATURAL NOT \
                NULL OFFSET ON OR ORDER PRIMARY QUALIFY RIGHT ROW ROWNUM SECOND SELECT SESSION_USER SET SOME SYMMETRIC \
                SYSTEM_USER TABLE TO TRUE UESCAPE UNION UNIQUE UNKNOWN USER USING VALUE VALUES WHEN WHERE WINDOW WITH YEAR \
                _ROWID_""");
        // An alias to H2; see DmlParser#returning.
        put(table, NOT_TABLE | NOT_BARE_LABEL, "RETURNING");
        return new Keywords(table);
    }
}
