package io.leeway.privoxy.internal.guard;

import org.jspecify.annotations.Nullable;

/**
 * An intercepted {@code SET privoxy.<name> = <value>}, or {@code RESET privoxy.<name>} / {@code RESET privoxy} (end of
 * the request).
 *
 * <p>As in the dissertation's prototype, where four lines of the application send such a SET (Chang, UCB/EECS-2021-244,
 * section 3.7).
 *
 * @param name parameter of the context, or empty for the whole request
 * @param value literal, or null for RESET
 */
public record ContextCommand(String name, @Nullable Object value) {}
