package io.leeway.netsim.internal.transport;

import io.leeway.approx.atp.AtpConfig;
import io.leeway.approx.atp.AtpConfig.LossCount;
import io.leeway.approx.atp.AtpConfig.RateLaw;
import io.leeway.approx.atp.AtpConfig.Selection;
import io.leeway.netsim.internal.net.Fabric;
import io.leeway.netsim.internal.net.FabricConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What jobs are sent by, with what the sender does about the share that is enough (NetApprox §7.1). */
public enum Transport {
    /** ATP whose sample does not depend on sizes: the product's default. */
    ATP("ATP, unbiased sample"),
    /** ATP as published: the messages with least left first, whichever arrive. */
    ATP_FULL("ATP_Full (as published)"),
    /** The published one with the target of the start kept. */
    ATP_FIX_TLR("ATP_FixTLR"),
    /** The published one with the queue of the start kept. */
    ATP_FIX_PRIO("ATP_FixPrio"),
    /** Rate control and the order of sending, but neither target nor queue move. */
    ATP_MRDF("ATP_MRDF"),
    /** Rate control only. */
    ATP_RC("ATP_RC"),
    /** At the rate of the link, lost packets sent again. */
    ATP_BASE("ATP_Base"),
    /** DCTCP that stops when enough has arrived (early stop). */
    DCTCP_ES("DCTCP, early stop"),
    /** DCTCP of a sample that is drawn before (sample and send). */
    DCTCP_SS("DCTCP, sampling"),
    /** TCP that stops when enough has arrived. */
    TCP_ES("TCP, early stop"),
    /** TCP of a sample. */
    TCP_SS("TCP, sampling"),
    /** pFabric that stops when enough has arrived. */
    PFABRIC_ES("pFabric, early stop"),
    /** pFabric of a sample. */
    PFABRIC_SS("pFabric, sampling"),
    /** Aeolus that stops when enough has arrived. */
    AEOLUS_ES("Aeolus, early stop"),
    /** Aeolus of a sample. */
    AEOLUS_SS("Aeolus, sampling"),
    /** Everything once, nothing promised. */
    UDP("UDP");

    private final String title;

    Transport(String title) {
        this.title = title;
    }

    /** For people. */
    public String title() {
        return title;
    }

    /** What is written in files: {@code dctcp-es}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The one of this key. */
    public static Optional<Transport> of(String key) {
        return Arrays.stream(values()).filter(one -> one.key().equals(key)).findFirst();
    }

    /** All keys. */
    public static List<String> keys() {
        return Arrays.stream(values()).map(Transport::key).toList();
    }

    /** Whether the sample is drawn by the sender, so that all of it has to arrive. */
    public boolean samples() {
        return name().endsWith("_SS");
    }

    /** Whether it is ATP or a variant of it. */
    public boolean isAtp() {
        return name().startsWith("ATP");
    }

    /** The queue that a job of this MSR begins in: 0 unless it is approximate. */
    public int firstQueue(double msr) {
        int lowest = FabricConfig.QUEUES - 1;
        return isAtp() ? Math.max(1, (int) Math.ceil((1 - msr) * lowest - 1e-9)) : 0;
    }

    /** The switches that it needs, where hosts are at most so many links apart. */
    public FabricConfig fabric(FabricConfig usual, int diameter) {
        return this == PFABRIC_ES || this == PFABRIC_SS ? usual.leastRemaining(diameter) : usual;
    }

    /** A flow that has not begun. */
    public Flow flow(Fabric fabric, Flow.Ends ends, Batch batch) {
        return switch (this) {
            case AEOLUS_ES, AEOLUS_SS -> new CreditFlow(fabric, ends, batch);
            case UDP -> new UdpFlow(fabric, ends, batch);
            case DCTCP_ES, DCTCP_SS -> new WindowFlow(fabric, ends, batch, WindowLaw.DCTCP);
            case TCP_ES, TCP_SS -> new WindowFlow(fabric, ends, batch, WindowLaw.TCP);
            case PFABRIC_ES, PFABRIC_SS -> new WindowFlow(fabric, ends, batch, WindowLaw.PFABRIC);
            default -> new AtpFlow(fabric, ends, batch, this::variant);
        };
    }

    /** What this variant of ATP takes away from the product's own. */
    private AtpConfig variant(AtpConfig config) {
        AtpConfig published =
                config.selection(Selection.ANY).lossCount(LossCount.EVER_LOST).hysteresis(false);
        return switch (this) {
            case ATP_FULL -> published;
            case ATP_FIX_TLR -> published.fixedTarget(true);
            case ATP_FIX_PRIO -> published.fixedPriority(true);
            case ATP_MRDF -> published.fixedTarget(true).fixedPriority(true);
            case ATP_RC -> published.fixedTarget(true).fixedPriority(true).minimalRemainingFirst(false);
            case ATP_BASE ->
                published
                        .fixedTarget(true)
                        .fixedPriority(true)
                        .minimalRemainingFirst(false)
                        .rateLaw(RateLaw.NONE);
            default -> config;
        };
    }
}
