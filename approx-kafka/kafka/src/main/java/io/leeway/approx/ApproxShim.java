package io.leeway.approx;

import io.leeway.approx.internal.net.FlowClient;
import io.leeway.approx.internal.net.FlowState;
import io.leeway.approx.internal.shim.Shim;

/**
 * The shim beside a client, in its process or as a sidecar: clients that take its address for that of the brokers have
 * their approximate topics sampled, and notice nothing else. Thread-safe.
 */
public final class ApproxShim implements AutoCloseable {

    private final Shim shim;

    /**
     * Starts a shim; the gateway may come later, or never.
     *
     * @throws ApproxException if an option is missing, a store cannot be used, or the port is taken
     */
    public ApproxShim(ApproxOptions options) {
        shim = new Shim(options, report -> {});
    }

    /** What goes into {@code bootstrap.servers}. */
    public String bootstrap() {
        return shim.bootstrap();
    }

    /** How approximate topics travel now: {@code datagrams}, {@code datagrams, polite}, {@code tcp}, or {@code exact: why}. */
    public String path() {
        FlowState state = shim.state();
        if (state instanceof FlowState.Up up) {
            return up.datagrams() ? up.polite() ? "datagrams, polite" : "datagrams" : "tcp";
        }
        return "exact: " + ((FlowState.Down) state).why();
    }

    /** Records taken for sampling so far. */
    public long accepted() {
        return shim.flow() == null ? 0 : shim.flow().accepted();
    }

    /** Records of approximate topics that travelled as exact ones, since there was no gateway. */
    public long passed() {
        return shim.passed();
    }

    /** Bytes of records that it holds. */
    long held() {
        FlowClient flow = shim.flow();
        io.leeway.approx.atp.FlowState numbers = flow == null ? null : flow.numbers();
        return numbers == null ? 0 : numbers.buffered();
    }

    /**
     * Ends all windows now, and waits until each has what it was promised.
     *
     * @param millis how long at most
     * @return false if the time was not enough
     */
    public boolean drain(long millis) throws InterruptedException {
        return shim.flow() == null || shim.flow().drain(millis);
    }

    Shim shim() {
        return shim;
    }

    @Override
    public void close() {
        shim.close();
    }
}
