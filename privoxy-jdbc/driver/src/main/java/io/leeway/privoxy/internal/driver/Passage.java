package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.request.Request;

/**
 * A permitted statement on its way to the database.
 *
 * @param text what is sent
 * @param statement as the guard read it
 * @param permit the guard's permission
 * @param request that it is made for
 */
record Passage(PreparedText text, GuardedStatement statement, Permit permit, Request request) {}
