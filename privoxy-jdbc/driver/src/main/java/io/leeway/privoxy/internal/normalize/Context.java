package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Term;
import java.util.List;

/**
 * The outer rows for which a sub-query matters: valuations of {@code uses} that fit one of the alternatives. It may
 * hold more rows than the statement looks at, never fewer.
 *
 * <p>Why more rows are sound: the obligation then asks for the sub-query's result of outer rows that the statement
 * drops, so it reveals more. Fewer would leave a row of the statement about whose sub-query nobody was asked. Every
 * hidden column could be read so once, by {@code VALUES (t.secret)} inside a {@code LATERAL} query
 * ({@code SixthAttackIT.aQueryInsideALateralOneIsAskedAboutWithTheRowsAround}).
 *
 * @param uses the outer rows
 * @param alternatives further rows and conditions, any of which suffices
 * @param keys terms whose values tell the outer rows apart; every obligation of the sub-query returns them, so that its
 *     answers can be matched with those of the outer block
 */
record Context(List<Use> uses, List<Conjunct> alternatives, List<Term> keys) {

    /** Outside of every block: one empty row. */
    static final Context ROOT = new Context(List.of(), List.of(Conjunct.EMPTY), List.of());

    Context {
        uses = List.copyOf(uses);
        alternatives = List.copyOf(alternatives);
        keys = List.copyOf(keys);
    }

    boolean isRoot() {
        return uses.isEmpty();
    }
}
