package io.leeway.hindex.internal.read;

import java.util.List;

/**
 * Some hits, in order.
 *
 * <p>Empty ones are returned as they are: reading on until something is found could take longer than who asks may wait.
 *
 * @param hits which; there may be none although more follow
 * @param more whether there may be more behind them
 */
record Page(List<Hit> hits, boolean more) {}
