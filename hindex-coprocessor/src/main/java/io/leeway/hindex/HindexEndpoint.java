package io.leeway.hindex;

import com.google.protobuf.Service;
import io.leeway.hindex.internal.admin.TableOptions;
import io.leeway.hindex.internal.config.Options;
import io.leeway.hindex.internal.guard.Guard;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.read.ReadService;
import io.leeway.hindex.internal.read.RegionReader;
import io.leeway.hindex.internal.read.ServerReads;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries in the regions of an index, one call for each, instead of sending all entries to the client. Set on index
 * tables when they are created; where it is missing, clients do the work.
 *
 * @since 0.1
 */
public final class HindexEndpoint implements RegionCoprocessor {

    private volatile @Nullable RegionReader reader;

    /** For HBase. */
    public HindexEndpoint() {}

    /** Asked for before the start. */
    @Override
    public Iterable<Service> getServices() {
        return List.of(new ReadService(this::reader));
    }

    private RegionReader reader() throws IOException {
        RegionReader started = reader;
        if (started == null) {
            throw new DoNotRetryIOException(
                    "the endpoint of this region could not start; see the log of the region server");
        }
        return started;
    }

    @Override
    @SuppressWarnings("rawtypes") // as HBase declares it
    public void start(CoprocessorEnvironment environment) {
        if (environment instanceof RegionCoprocessorEnvironment region) {
            Guard.attempt("start of the endpoint", () -> {
                Options options = TableOptions.ofSite(environment.getConfiguration());
                reader = new RegionReader(
                        region,
                        ServerReads.acquire(region, options.get(Options.READ_TIMEOUT)),
                        Metrics.of(region.getMetricRegistryForRegionServer(), Metrics.Side.INDEX));
            });
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // as HBase declares it
    public void stop(CoprocessorEnvironment environment) {
        RegionReader last = reader;
        if (last != null) {
            Guard.attempt("stop of the endpoint", last::close);
        }
    }
}
