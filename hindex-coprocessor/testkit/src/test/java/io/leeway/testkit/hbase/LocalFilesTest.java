package io.leeway.testkit.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFilesTest {

    @TempDir
    private java.nio.file.Path directory;

    @Test
    void setsPermissionsAsHadoopDoes() throws Exception {
        var hadoop = new LocalFileSystem();
        var ours = new LocalFiles();
        for (var files : new LocalFileSystem[] {hadoop, ours}) {
            files.initialize(URI.create("file:///"), new Configuration(false));
        }
        for (String mode : new String[] {"700", "644", "755", "600", "000", "1777"}) {
            var permission = new FsPermission(mode);
            Path theirs = new Path(directory.resolve("hadoop" + mode).toUri());
            Path own = new Path(directory.resolve("ours" + mode).toUri());

            hadoop.create(theirs).close();
            hadoop.setPermission(theirs, permission);
            ours.create(own).close();
            ours.setPermission(own, permission);

            assertThat(rights(ours, own)).isEqualTo(rights(ours, theirs));
        }
    }

    /** Without the bit that only matters where several users share a directory. */
    private static int rights(LocalFileSystem files, Path path) throws Exception {
        return files.getFileStatus(path).getPermission().toShort() & 0777;
    }
}
