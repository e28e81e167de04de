package io.leeway.eppi.internal.net;

/**
 * A message.
 *
 * @param kind what it is
 * @param payload its bytes
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record Frame(Kind kind, byte[] payload) {}
