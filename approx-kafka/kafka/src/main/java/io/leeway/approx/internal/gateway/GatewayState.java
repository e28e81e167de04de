package io.leeway.approx.internal.gateway;

import java.util.List;

/**
 * The numbers of a gateway.
 *
 * @param sessions one entry a session
 * @param stray datagrams of no session
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record GatewayState(List<Of> sessions, long stray) {

    public GatewayState {
        sessions = List.copyOf(sessions);
    }

    /**
     * The numbers of one session.
     *
     * @param id its number
     * @param connected whether its control connection stands
     * @param held bytes that wait
     * @param drops packets that there was no room for
     * @param forged datagrams that were not sealed by it, or made no sense
     * @param packets packets, by queue
     */
    public record Of(String id, boolean connected, long held, long drops, long forged, long[] packets) {}
}
