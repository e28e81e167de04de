package io.leeway.privoxy.internal.guard;

import org.jspecify.annotations.Nullable;

/**
 * An intercepted {@code SET privoxy.<name> = <value>}, or {@code RESET privoxy.<name>} / {@code RESET privoxy} (end of
 * the request).
 *
 * @param name parameter of the context, or empty for the whole request
 * @param value literal, or null for RESET
 */
public record ContextCommand(String name, @Nullable Object value) {}
