package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.normalize.LiveTables;
import io.leeway.privoxy.internal.normalize.PolicyCompiler;
import io.leeway.privoxy.internal.schema.SchemaSnapshot;
import io.leeway.privoxy.internal.schema.SchemaTextReader;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SqlOptions;

/** A small schema for tests of policies. */
final class SocialSchema {

    private SocialSchema() {}

    static SchemaSnapshot tables() {
        return SchemaTextReader.read("""
                privoxy-schema 1
                dialect POSTGRESQL
                search-path public
                table public.people TABLE
                  column id NUMBER bigint whole not-null
                  column name TEXT text not-null
                  column email TEXT citext equality citext
                  column born DATE date
                  key people_pkey ( id )
                  key people_email_key ( email ) nulls-distinct
                  note "key people_name_key is left out: it is deferrable"
                table public.posts TABLE
                  column id NUMBER bigint whole not-null
                  column author_id NUMBER bigint whole not-null
                  column root_id NUMBER bigint whole
                  column type TEXT text not-null
                  key posts_pkey ( id )
                  foreign-key posts_author_fk ( author_id ) references public.people ( id )
                  foreign-key posts_root_fk ( root_id ) references public.posts ( id )
                table public.logs TABLE
                  column line TEXT text
                table public.recent VIEW
                  column id NUMBER bigint whole
                """);
    }

    /** The compiler that the driver uses, on these tables. */
    static ViewCompiler compiler(TableSource tables) {
        return new PolicyCompiler(SqlOptions.of(Dialect.POSTGRESQL), new LiveTables(tables), tables.searchPath());
    }
}
