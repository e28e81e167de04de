package io.leeway.privoxy.internal.guard;

/** What the guard says of one execution: that it may be sent, or why it may not. */
public sealed interface Ruling permits Permit, Denial {}
