package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** The other tests run with the HBase and the build of hindex that the build means: several versions are tried. */
class HostTest {

    @Test
    void hasTheVersionThatTheBuildNames() {
        assertThat(VersionInfo.getVersion()).isEqualTo(System.getProperty("leeway.hbase.version"));
    }

    @Test
    void loadsTheClassesThatTheBuildNames() throws Exception {
        for (Class<?> each : new Class<?>[] {HindexObserver.class, HindexMasterObserver.class, HindexEndpoint.class}) {
            Path origin = Path.of(
                    each.getProtectionDomain().getCodeSource().getLocation().toURI());
            assertThat(origin.toRealPath())
                    .isEqualTo(
                            Path.of(System.getProperty("leeway.hindex.classes")).toRealPath());
        }
    }
}
