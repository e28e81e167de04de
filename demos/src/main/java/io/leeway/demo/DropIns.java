package io.leeway.demo;

import io.leeway.demo.hindex.HindexDropIn;
import io.leeway.demo.lazytables.LazyTablesDropIn;
import io.leeway.demo.privoxy.PrivoxyDropIn;
import java.util.List;

/** The drop-ins that the demo knows, in the order in which they are shown. */
final class DropIns {

    private DropIns() {}

    static List<DropIn> all() {
        return List.of(new PrivoxyDropIn(), new HindexDropIn(), new LazyTablesDropIn());
    }
}
