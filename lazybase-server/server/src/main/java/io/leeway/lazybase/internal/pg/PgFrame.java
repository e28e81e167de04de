package io.leeway.lazybase.internal.pg;

/**
 * A message of a client.
 *
 * @param type its letter; 0 for the first message, which has none
 * @param bytes what follows the length
 */
@SuppressWarnings("ArrayRecordComponent")
record PgFrame(byte type, byte[] bytes) {}
