package io.leeway.lazytables.internal.row;

import io.leeway.lazytables.Combine;
import io.leeway.lazytables.spi.CombineOp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The operations that a server knows by name: the built-in ones, those among the services of the class path, and those
 * it was given.
 */
public final class CombineOps {

    private final Map<String, CombineOp> byName = new HashMap<>();

    private CombineOps() {}

    /**
     * The operations that there are, and those given. Looked up once, when a server starts: an operation that is not
     * found then refuses the tables that name it.
     */
    public static CombineOps of(List<CombineOp> given) {
        var ops = new CombineOps();
        // In this order, each over the ones before: what a program gives counts before what lies in the class path, and
        // no name of a built-in one is anything else, on any server.
        ServiceLoader.load(CombineOp.class).forEach(op -> ops.byName.put(op.name(), op));
        given.forEach(op -> ops.byName.put(op.name(), op));
        for (Combine op : Combine.values()) {
            ops.byName.put(op.name(), op);
        }
        return ops;
    }

    public @Nullable CombineOp find(String name) {
        return byName.get(name);
    }
}
