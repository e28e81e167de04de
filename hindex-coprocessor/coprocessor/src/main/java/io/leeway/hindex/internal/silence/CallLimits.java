package io.leeway.hindex.internal.silence;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * How long HBase's client waits for the region of an index, whatever it does to reach it: the sum of connecting, asking
 * where the region is, calls, and pauses between attempts. Without state.
 */
public final class CallLimits {

    /** A server that is gone is found out within this, and its region asked for elsewhere while there is time left. */
    private static final int CONNECT_MILLIS = 2_000;
    /** Short, as a row's lock waits behind it: HBase's own pause is that of clients who have minutes. */
    private static final int PAUSE_MILLIS = 20;

    /** The time limit ends the retries, not their number. */
    private static final int RETRIES = 100;

    private CallLimits() {}

    /**
     * Settings for a connection whose calls, with all their retries, end within this time.
     *
     * @param server the server's configuration: a copy of a region's, which is put together of several, would have none
     *     of it
     */
    public static Configuration of(Configuration server, int millis) {
        var settings = new Configuration(server);
        settings.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, millis);
        settings.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, millis);
        settings.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, millis);
        settings.setInt(HConstants.HBASE_RPC_READ_TIMEOUT_KEY, millis);
        settings.setInt(HConstants.HBASE_RPC_WRITE_TIMEOUT_KEY, millis);
        // Scans have a limit of their own, a minute unless told.
        settings.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, millis);
        settings.setInt("hbase.ipc.client.socket.timeout.connect", Math.min(millis, CONNECT_MILLIS));
        settings.setInt(HConstants.HBASE_CLIENT_PAUSE, PAUSE_MILLIS);
        settings.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, RETRIES);
        // HBase multiplies the retries of connections that its servers make.
        settings.setInt("hbase.client.serverside.retries.multiplier", 1);
        return settings;
    }
}
