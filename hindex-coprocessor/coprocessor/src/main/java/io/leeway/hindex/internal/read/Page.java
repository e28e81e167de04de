package io.leeway.hindex.internal.read;

import java.util.List;

/**
 * Some hits, in order.
 *
 * @param hits which; there may be none although more follow
 * @param more whether there may be more behind them
 */
record Page(List<Hit> hits, boolean more) {}
