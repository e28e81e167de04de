package io.leeway.privoxy.spi;

import java.util.List;

/**
 * A formula in SMT-LIB 2.
 *
 * @param text declarations and assertions, starting with {@code set-logic}; no {@code check-sat}, no options
 * @param assumptions Boolean constants of the text that are assumed true; an unsatisfiable script names those used
 * @param values constants of the text whose values are wanted if it is satisfiable
 * @since 0.1
 */
public record SmtScript(String text, List<String> assumptions, List<String> values) {
    public SmtScript {
        assumptions = List.copyOf(assumptions);
        values = List.copyOf(values);
    }

    /** A script that is only to be decided. */
    public static SmtScript of(String text) {
        return new SmtScript(text, List.of(), List.of());
    }

    /** The same formula under other assumptions. */
    public SmtScript assuming(List<String> others) {
        return new SmtScript(text, others, values);
    }
}
