package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.schema.SchemaChanges;
import io.leeway.privoxy.internal.schema.SchemaMark;

/**
 * A permitted statement on its way to the database.
 *
 * @param text what is sent
 * @param statement as the guard read it
 * @param permit the guard's permission
 * @param request that it is made for
 * @param connectionId of the physical connection that it was decided for
 * @param changes of schemas that this process had sent before the decision
 * @param schema that it was decided on
 */
record Passage(
        PreparedText text,
        GuardedStatement statement,
        Permit permit,
        Request request,
        long connectionId,
        SchemaChanges changes,
        SchemaMark schema) {}
