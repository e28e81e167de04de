package io.leeway.lazytables.internal.hadoop;

import io.leeway.lazytables.spi.SnapshotStore;
import io.leeway.lazytables.spi.SnapshotStoreProvider;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Opens whatever Hadoop's configuration on the class path has a file system for: {@code hdfs}, {@code file}, {@code viewfs}, {@code s3a} and others. Thread-safe. */
public final class HadoopStores implements SnapshotStoreProvider {

    private static final Logger LOG = System.getLogger(HadoopStores.class.getName());

    @Override
    public boolean opens(String scheme) {
        try {
            FileSystem.getFileSystemClass(scheme, new Configuration());
            return true;
        } catch (IOException unknown) {
            LOG.log(Level.DEBUG, "Hadoop has no file system for {0}: {1}", scheme, unknown.getMessage());
            return false;
        } catch (NoClassDefFoundError absent) {
            LOG.log(
                    Level.WARNING,
                    "lazytables-hadoop finds no Hadoop in the class path ({0}): add hadoop-client-api and"
                            + " hadoop-client-runtime, or what `hadoop classpath` says",
                    absent.getMessage());
            return false;
        }
    }

    @Override
    public SnapshotStore open(String location) throws IOException {
        return HadoopStore.open(location, new Configuration());
    }

    @Override
    public SnapshotStore openToRead(String location) throws IOException {
        return HadoopStore.openToRead(location, new Configuration());
    }

    @Override
    public String within(String location, String name) throws IOException {
        HadoopStore.make(location, name, new Configuration());
        return SnapshotStoreProvider.super.within(location, name);
    }
}
