package io.leeway.privoxy.internal.schema;

/**
 * The statements of {@link PostgresCatalog}. Names are qualified, so that no search path can put others in their place;
 * {@code unnest} of several arrays is syntax rather than a function and takes no qualifier.
 */
final class PostgresSql {

    /**
     * oid, schema, name, relkind, relpersistence, whether constraints do not hold for all rows: it has inheritance
     * children, or a partition that is a foreign table; a view's query and the search path for its names.
     */
    static final String RELATIONS = """
            SELECT c.oid::pg_catalog.int8, n.nspname, c.relname, c.relkind::pg_catalog.text,
                   c.relpersistence::pg_catalog.text,
                   EXISTS (
                     WITH RECURSIVE tree AS (
                       SELECT i.inhrelid FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid
                       UNION
                       SELECT i.inhrelid FROM tree JOIN pg_catalog.pg_inherits i ON i.inhparent = tree.inhrelid)
                     SELECT 1 FROM tree JOIN pg_catalog.pg_class k ON k.oid = tree.inhrelid
                     WHERE c.relkind <> 'p' OR k.relkind = 'f'),
                   CASE WHEN c.relkind = 'v' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
                     THEN pg_catalog.pg_get_viewdef(c.oid) END,
                   pg_catalog.current_schemas(true)::pg_catalog.text[]
            FROM unnest(?::pg_catalog.text[], ?::pg_catalog.text[]) AS w(nsp, rel)
            JOIN pg_catalog.pg_namespace n ON n.nspname = w.nsp::pg_catalog.name
            JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.rel::pg_catalog.name
            WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
            """;

    /**
     * table, name, type as declared, NOT NULL, base type (domains resolved): its oid, schema, name, typtype, modifier;
     * collation: oid, name, whether it is deterministic. A NOT NULL constraint that is not valid (PostgreSQL 18) does
     * not count; that of a domain never does, as it can be got round.
     */
    static final String COLUMNS = """
            WITH RECURSIVE base AS (
              SELECT a.attrelid, a.attnum, a.atttypid AS typid, a.atttypmod AS typmod
              FROM pg_catalog.pg_attribute a
              WHERE a.attrelid = ANY (?::pg_catalog.int8[]::pg_catalog.oid[]) AND a.attnum > 0 AND NOT a.attisdropped
              UNION ALL
              SELECT b.attrelid, b.attnum, t.typbasetype, CASE WHEN t.typtypmod >= 0 THEN t.typtypmod ELSE b.typmod END
              FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.typid
              WHERE t.typtype = 'd')
            SELECT a.attrelid::pg_catalog.int8, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
                   a.attnotnull AND NOT EXISTS (
                     SELECT 1 FROM pg_catalog.pg_constraint k
                     WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated AND a.attnum = ANY (k.conkey)),
                   t.oid::pg_catalog.int8, tn.nspname, t.typname, t.typtype::pg_catalog.text, b.typmod,
                   a.attcollation::pg_catalog.int8, cn.nspname || '.' || co.collname, COALESCE(co.collisdeterministic, true),
                   t.typtype <> 'b' OR t.typelem <> 0 AND t.typlen = -1 OR EXISTS (
                     SELECT 1 FROM pg_catalog.pg_opclass oc JOIN pg_catalog.pg_am am ON am.oid = oc.opcmethod
                     WHERE oc.opcdefault AND am.amname IN ('btree', 'hash') AND (oc.opcintype = t.oid OR oc.opcintype IN (
                       SELECT ca.casttarget FROM pg_catalog.pg_cast ca
                       WHERE ca.castsource = t.oid AND ca.castmethod = 'b' AND ca.castcontext = 'i')))
            FROM base b
            JOIN pg_catalog.pg_type t ON t.oid = b.typid AND t.typtype <> 'd'
            JOIN pg_catalog.pg_namespace tn ON tn.oid = t.typnamespace
            JOIN pg_catalog.pg_attribute a ON a.attrelid = b.attrelid AND a.attnum = b.attnum
            LEFT JOIN pg_catalog.pg_collation co ON co.oid = a.attcollation
            LEFT JOIN pg_catalog.pg_namespace cn ON cn.oid = co.collnamespace
            ORDER BY a.attrelid, a.attnum
            """;

    /**
     * table, index, whether primary, whether NULLs count as equal, why it is no key or null; for each key column its
     * name, the operator class's input type, whether it is that type's default, whether it is a pattern class, and the
     * index's collation. What strikes or carries on at a part of a table (a partition, a table that inherits) strikes whoever
     * writes to the table.
     */
    static final String KEYS = """
            WITH RECURSIVE below AS (
              SELECT o AS root, o AS rel FROM pg_catalog.unnest(?::pg_catalog.int8[]::pg_catalog.oid[]) AS w(o)
              UNION
              SELECT b.root, h.inhrelid FROM below b JOIN pg_catalog.pg_inherits h ON h.inhparent = b.rel)
            SELECT below.root::pg_catalog.int8, ic.relname, i.indisprimary,
                   COALESCE((pg_catalog.to_jsonb(i) ->> 'indnullsnotdistinct')::pg_catalog.bool, false),
                   CASE WHEN below.rel <> below.root THEN 'it is that of a part of the table'
                        WHEN NOT (i.indisvalid AND i.indisready AND i.indislive) THEN 'its index is not valid'
                        WHEN NOT i.indimmediate THEN 'it is deferrable'
                        WHEN i.indisexclusion THEN 'it excludes more than equal rows'
                        WHEN i.indpred IS NOT NULL THEN 'it is partial'
                        WHEN i.indexprs IS NOT NULL THEN 'it is on an expression' END,
                   k.names, k.inputs, k.defaults, k.patterns, k.collations
            FROM below
            JOIN pg_catalog.pg_index i ON i.indrelid = below.rel
            JOIN pg_catalog.pg_class ic ON ic.oid = i.indexrelid
            CROSS JOIN LATERAL (
              SELECT pg_catalog.array_agg(COALESCE(a.attname::pg_catalog.text, '') ORDER BY u.ord),
                     pg_catalog.array_agg(oc.opcintype::pg_catalog.int8 ORDER BY u.ord),
                     pg_catalog.array_agg(oc.opcdefault ORDER BY u.ord),
                     pg_catalog.array_agg(oc.opcname::pg_catalog.text LIKE '%pattern\\_ops' ORDER BY u.ord),
                     pg_catalog.array_agg(u.coll::pg_catalog.int8 ORDER BY u.ord)
              FROM unnest(i.indkey::pg_catalog.int2[], i.indclass::pg_catalog.oid[],
                          i.indcollation::pg_catalog.oid[]) WITH ORDINALITY AS u(att, cls, coll, ord)
              JOIN pg_catalog.pg_opclass oc ON oc.oid = u.cls
              LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.att AND u.att > 0
              WHERE u.ord <= i.indnkeyatts) AS k(names, inputs, defaults, patterns, collations)
            WHERE (i.indisunique OR i.indisexclusion)
              AND (below.rel = below.root
                   OR NOT EXISTS (SELECT 1 FROM pg_catalog.pg_inherits h WHERE h.inhrelid = i.indexrelid))
            """;

    /**
     * table, name, target: its oid, schema, name; columns, target columns, why it does not hold or null. What is kept
     * for the partitions of a partitioned target is passed over.
     */
    static final String FOREIGN_KEYS = """
            SELECT c.conrelid::pg_catalog.int8, c.conname, c.confrelid::pg_catalog.int8, n.nspname, t.relname,
                   ARRAY (SELECT a.attname::pg_catalog.text
                          FROM pg_catalog.unnest(c.conkey) WITH ORDINALITY AS u(att, ord)
                          JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = u.att ORDER BY u.ord),
                   ARRAY (SELECT a.attname::pg_catalog.text
                          FROM pg_catalog.unnest(c.confkey) WITH ORDINALITY AS u(att, ord)
                          JOIN pg_catalog.pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = u.att ORDER BY u.ord),
                   CASE WHEN NOT c.convalidated THEN 'it is not validated'
                        WHEN c.condeferrable THEN 'it is deferrable'
                        WHEN t.relrowsecurity THEN 'row level security hides rows of its target'
                        WHEN COALESCE(i.indisexclusion, false) THEN 'it is about periods'
                        WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_trigger g
                                     WHERE g.tgconstraint = c.oid AND g.tgenabled NOT IN ('O', 'A'))
                          THEN 'its triggers are switched off' END
            FROM pg_catalog.pg_constraint c
            JOIN pg_catalog.pg_class t ON t.oid = c.confrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
            LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = c.conindid
            WHERE c.conrelid = ANY (?::pg_catalog.int8[]::pg_catalog.oid[]) AND c.contype = 'f'
              AND NOT (c.conparentid <> 0 AND t.relispartition)
            """;

    /**
     * table; what the database does by itself with its rows, as {@link io.leeway.privoxy.internal.model.Arbiters} has it, or
     * null and a column of which a change changes rows of other tables.
     */
    static final String DOINGS = """
            WITH RECURSIVE below AS (
              SELECT o AS root, o AS rel FROM pg_catalog.unnest(?::pg_catalog.int8[]::pg_catalog.oid[]) AS w(o)
              UNION
              SELECT b.root, h.inhrelid FROM below b JOIN pg_catalog.pg_inherits h ON h.inhparent = b.rel)
            SELECT below.root::pg_catalog.int8, NULL, a.attname::pg_catalog.text
            FROM below
            JOIN pg_catalog.pg_constraint c ON c.confrelid = below.rel
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = ANY (c.confkey)
            WHERE c.contype = 'f' AND c.confupdtype IN ('c', 'n', 'd')
            UNION ALL
            SELECT below.root::pg_catalog.int8,
                   CASE WHEN t.tgtype & 4 <> 0 THEN 'REWRITES' ELSE 'SKIPS_EQUAL' END, NULL
            FROM below
            JOIN pg_catalog.pg_trigger t ON t.tgrelid = below.rel
            JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
            WHERE NOT t.tgisinternal
              AND (t.tgtype & 7 = 7 OR t.tgtype & 19 = 19 AND p.proname = 'suppress_redundant_updates_trigger')
            UNION ALL
            SELECT below.root::pg_catalog.int8, 'REDIRECTS', NULL
            FROM below JOIN pg_catalog.pg_constraint c ON c.confrelid = below.rel
            WHERE c.contype = 'f' AND c.confdeltype = 'd'
            """;

    /** schema and name of what can be queried in the given schemas. */
    static final String NAMES = """
            SELECT n.nspname, c.relname
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ANY (?::pg_catalog.text[]) AND n.nspname NOT IN ('pg_catalog', 'information_schema')
              AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
            ORDER BY n.nspname, c.relname
            """;

    /** table and a table that changes with it; no second table if anything may change with it. */
    static final String WRITE_REACH = """
            WITH step AS (
              SELECT confrelid AS src, conrelid AS dst FROM pg_catalog.pg_constraint
              WHERE contype = 'f' AND (confdeltype IN ('c', 'n', 'd') OR confupdtype IN ('c', 'n', 'd'))
              UNION SELECT inhrelid, inhparent FROM pg_catalog.pg_inherits
              UNION SELECT inhparent, inhrelid FROM pg_catalog.pg_inherits
              UNION SELECT tgrelid, NULL::pg_catalog.oid FROM pg_catalog.pg_trigger WHERE NOT tgisinternal
              UNION SELECT ev_class, NULL::pg_catalog.oid FROM pg_catalog.pg_rewrite WHERE ev_type <> '1')
            SELECT sn.nspname, s.relname, dn.nspname, d.relname
            FROM step
            JOIN pg_catalog.pg_class s ON s.oid = step.src AND s.relkind IN ('r', 'p', 'f', 'v')
            JOIN pg_catalog.pg_namespace sn ON sn.oid = s.relnamespace
            LEFT JOIN pg_catalog.pg_class d ON d.oid = step.dst
            LEFT JOIN pg_catalog.pg_namespace dn ON dn.oid = d.relnamespace
            WHERE step.dst IS NULL OR d.relkind IN ('r', 'p', 'f', 'v')
            """;

    /** table and column, of generated columns. */
    static final String MOVING = """
            SELECT n.nspname, c.relname, a.attname
            FROM pg_catalog.pg_attribute a
            JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE a.attgenerated <> '' AND NOT a.attisdropped
            """;

    private PostgresSql() {}
}
