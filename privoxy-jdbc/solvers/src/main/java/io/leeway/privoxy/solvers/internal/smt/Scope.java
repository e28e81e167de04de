package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.View;
import java.util.List;
import java.util.Map;

/**
 * The part of policy and schema that a problem is written with.
 *
 * <p>A policy of a hundred views would make a text of some hundred kilobytes for each question; most problems are about
 * five tables.
 *
 * @param policy where it is from
 * @param tables by name, in the order in which they came in
 * @param views grants that can show something
 * @param inclusions that can demand something
 * @param foreignKeys by source table
 * @see ScopeFinder
 */
record Scope(
        Policy policy,
        Map<String, TableShape> tables,
        List<View> views,
        List<Inclusion> inclusions,
        Map<String, List<ForeignKey>> foreignKeys) {

    TableShape table(String name) {
        TableShape shape = tables.get(name);
        if (shape == null) {
            throw new IllegalArgumentException("a query names a table that the schema lacks");
        }
        return shape;
    }
}
