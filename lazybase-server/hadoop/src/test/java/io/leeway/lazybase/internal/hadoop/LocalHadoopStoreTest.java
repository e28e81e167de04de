package io.leeway.lazybase.internal.hadoop;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.LazyBaseServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Files of this machine, through Hadoop's file system for them. */
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Hadoop 3.4 calls what later ones refuse")
class LocalHadoopStoreTest extends HadoopStoreContract {

    @TempDir
    Path root;

    @Override
    String location() {
        return "file://" + root.resolve("store");
    }

    @Test
    void placesThatAreNotDurableEnoughAreRefused() {
        var configuration = new Configuration();
        assertThatThrownBy(() -> HadoopStore.open("viewfs://c/", configuration)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> HadoopStore.open("hdfs://no-such-host.invalid:9/x", configuration))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no-such-host.invalid");
        assertThatThrownBy(() -> LazyBaseServer.start(LazyBaseOptions.of(
                        Map.of("lazybase.directory", root.toString(), "lazybase.store", "s3://bucket/x"))))
                .isInstanceOf(LazyBaseException.class)
                .hasMessageContaining("needs a jar that opens it");
    }
}
