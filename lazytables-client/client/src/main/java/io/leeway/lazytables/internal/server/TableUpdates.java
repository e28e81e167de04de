package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.row.RowLog;
import java.util.List;

/**
 * What happened to a table's rows. In a message, each row once.
 */
record TableUpdates(ServerTable table, List<RowLog> logs) {}
