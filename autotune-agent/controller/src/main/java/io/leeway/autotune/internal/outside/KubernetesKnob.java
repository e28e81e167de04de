package io.leeway.autotune.internal.outside;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.internal.kubernetes.Quantity;
import io.leeway.autotune.internal.kubernetes.Workload;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Replicas, or CPU (in cores) or memory (in bytes) of a deployment's container, request and limit alike. It counts as
 * changed when the deployment's controller has seen it and all replicas are new and ready. Most clusters restart a pod
 * for other resources, so that it costs a restart unless the declaration says otherwise.
 */
record KubernetesKnob(KnobSpec spec, Workload workload, String resource) implements OutsideKnob {

    private static final String REPLICAS = "replicas";
    private static final List<String> RESOURCES = List.of(REPLICAS, "cpu", "memory");

    /** Refuses other resources. */
    KubernetesKnob {
        if (!RESOURCES.contains(resource)) {
            throw AutoTuneError.BAD_REQUEST.because("no resource " + resource + ": " + RESOURCES);
        }
    }

    @Override
    public KnobValue read() throws IOException {
        return value(workload.read());
    }

    private KnobValue value(Workload.State state) throws IOException {
        if (REPLICAS.equals(resource)) {
            return KnobValue.of(state.replicas());
        }
        String limit = workload.amounts(state).limits().get(resource);
        return KnobValue.of(limit == null ? spec.max() : Math.min(spec.max(), Quantity.parse(limit)));
    }

    @Override
    public void write(KnobValue value) throws IOException {
        Workload.Change change = REPLICAS.equals(resource)
                ? Workload.replicas((int) value.number())
                : Workload.amounts(Workload.Amounts.alike(Map.of(
                        resource,
                        "cpu".equals(resource) ? Quantity.cores(value.number()) : Quantity.bytes(value.number()))));
        workload.change(workload.read(), List.of(change));
    }

    @Override
    public boolean isInPlace(KnobValue value) throws IOException {
        if (workload.isDryRun()) {
            return true;
        }
        Workload.State state = workload.read();
        return isAlike(value(state), value)
                && state.unfinished().isEmpty()
                && (REPLICAS.equals(resource) || workload.differences(state).isEmpty());
    }
}
