package io.leeway.approx.internal.net;

/** What the connection of a shim to its gateway is at the moment. */
public sealed interface FlowState {

    /** No session: approximate topics travel as exact ones. */
    record Down(String why) implements FlowState {}

    /** A session; {@code datagrams} says whether packets travel by UDP or over TCP. */
    record Up(long session, boolean datagrams, boolean polite) implements FlowState {}
}
