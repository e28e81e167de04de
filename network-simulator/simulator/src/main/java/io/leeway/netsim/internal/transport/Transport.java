package io.leeway.netsim.internal.transport;

import io.leeway.approx.atp.AtpConfig;
import io.leeway.approx.atp.AtpConfig.RateLaw;
import io.leeway.approx.atp.AtpConfig.Selection;
import io.leeway.netsim.internal.net.Fabric;
import io.leeway.netsim.internal.net.FabricConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What jobs are sent by, with what the sender does about the share that is enough (NetApprox §7.1). */
public enum Transport {
    /** ATP whose sample does not depend on sizes: the product's default. */
    ATP("ATP, unbiased sample", config -> config),
    /** ATP as published: the messages with least left first, whichever arrive. */
    ATP_FULL("ATP_Full (as published)", config -> config.selection(Selection.ANY)),
    /** The published one with the target of the start kept. */
    ATP_FIX_TLR("ATP_FixTLR", config -> config.selection(Selection.ANY).fixedTarget(true)),
    /** The published one with the queue of the start kept. */
    ATP_FIX_PRIO("ATP_FixPrio", config -> config.selection(Selection.ANY).fixedPriority(true)),
    /** Rate control and the order of sending, but neither target nor queue move. */
    ATP_MRDF(
            "ATP_MRDF",
            config -> config.selection(Selection.ANY).fixedTarget(true).fixedPriority(true)),
    /** Rate control only. */
    ATP_RC(
            "ATP_RC",
            config -> config.selection(Selection.ANY)
                    .minimalRemainingFirst(false)
                    .fixedTarget(true)
                    .fixedPriority(true)),
    /** At the rate of the link, lost packets sent again. */
    ATP_BASE(
            "ATP_Base",
            config -> config.selection(Selection.ANY)
                    .minimalRemainingFirst(false)
                    .fixedTarget(true)
                    .fixedPriority(true)
                    .rateLaw(RateLaw.NONE)),
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
    /** Everything once, nothing promised. */
    UDP("UDP");

    private final String title;
    private final UnaryOperator<AtpConfig> variant;

    Transport(String title) {
        this(title, UnaryOperator.identity());
    }

    Transport(String title, UnaryOperator<AtpConfig> variant) {
        this.title = title;
        this.variant = variant;
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

    /** The switches that it needs. */
    public FabricConfig fabric(FabricConfig usual) {
        return this == PFABRIC_ES || this == PFABRIC_SS ? usual.leastRemaining() : usual;
    }

    /** A flow that has not begun. */
    public Flow flow(Fabric fabric, Flow.Ends ends, Batch batch) {
        return switch (this) {
            case UDP -> new UdpFlow(fabric, ends, batch);
            case DCTCP_ES, DCTCP_SS -> new WindowFlow(fabric, ends, batch, WindowLaw.DCTCP);
            case TCP_ES, TCP_SS -> new WindowFlow(fabric, ends, batch, WindowLaw.TCP);
            case PFABRIC_ES, PFABRIC_SS -> new WindowFlow(fabric, ends, batch, WindowLaw.PFABRIC);
            default -> new AtpFlow(fabric, ends, batch, variant);
        };
    }
}
