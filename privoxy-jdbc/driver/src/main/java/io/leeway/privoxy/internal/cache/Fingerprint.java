package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What some templates were proved under, as hashes. Names of views and constraints, comments and the order of tables do
 * not count.
 *
 * <p>A template file that was made under another policy is not loaded unseen: each of its templates has to be proved
 * anew, as it is true under the policy and schema of its proof only. The hash tells when that can be spared.
 *
 * @param policy of views, inclusions and context
 * @param schema of all tables that a proof can have used: those that policy and templates name, and what foreign keys
 *     lead to from there
 */
public record Fingerprint(String policy, String schema) {

    /**
     * Of the rules by which proofs are made, in hexadecimal digits. Raised with each release in which a proof of before may
     * be none any more: a signed file of then is believed by this no longer, and each of its templates is proved anew.
     */
    private static final String RULES = "03";

    /** The fingerprint of some templates under a policy. */
    public static Fingerprint of(CompiledPolicy policy, Collection<Template> templates) {
        Set<String> named = new TreeSet<>();
        for (View view : policy.policy().views()) {
            collect(view.query(), named);
        }
        for (Inclusion inclusion : policy.policy().inclusions()) {
            collect(inclusion.left(), named);
            collect(inclusion.right(), named);
        }
        for (Template template : templates) {
            collect(template.goal(), named);
            // Tables that only a template names count: their keys may be part of its proof.
            template.premises().forEach(premise -> collect(premise.query(), named));
        }
        return new Fingerprint(ofPolicy(policy.policy()), ofTables(policy.schema(), named));
    }

    /** Views' names do not count, so a policy that is only renamed keeps its templates. */
    private static String ofPolicy(Policy policy) {
        return StableHash.of(policy) + RULES;
    }

    private static String ofTables(Schema schema, Set<String> named) {
        Set<String> reached = new TreeSet<>(named);
        Deque<String> open = new ArrayDeque<>(named);
        List<String> unknown = new ArrayList<>();
        while (!open.isEmpty()) {
            Table table = schema.table(open.pop());
            if (table != null) {
                for (ForeignKey key : table.foreignKeys()) {
                    // Foreign keys are followed to the end, as the chase does; incoming references are not needed,
                    // since they add no rows to what is there.
                    if (reached.add(key.target())) {
                        open.push(key.target());
                    }
                }
            }
        }
        List<Table> tables = new ArrayList<>();
        for (String name : reached) {
            Table table = schema.table(name);
            if (table == null) {
                unknown.add(name);
            } else {
                tables.add(table);
            }
        }
        return StableHash.of(tables, unknown);
    }

    private static void collect(UnionQuery query, Set<String> tables) {
        query.disjuncts().forEach(disjunct -> collect(disjunct, tables));
    }

    private static void collect(ConjunctiveQuery query, Set<String> tables) {
        query.atoms().stream().map(Atom::table).forEach(tables::add);
    }
}
