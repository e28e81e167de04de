package io.leeway.hindex.internal.load;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/*
 * A call that goes on where another ended must know that its files are the same. Those of a client stay where they are, and
 * the time of their last change tells whether they are still the same. Those of another cluster are copied by HBase for each
 * attempt anew, to a new directory with a long random name (HFileReplicator), and keep only the name that they have in the
 * tables of that cluster: one that HBase has made for them, never makes again, and under which it never changes a file. What
 * HBase cuts such a copy into, where regions begin elsewhere, has new names each time, and is not known again.
 */
/**
 * A file as a call names it: what {@link BulkLoads} knows loads by. Immutable.
 *
 * @param name what all calls that mean this file call it
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
record GivenFile(byte[] family, Path path, String name, boolean isReplicated) {

    /** As HBase calls the files of its tables, and those that were loaded into them. */
    private static final Pattern STORED = Pattern.compile("[0-9a-f]{32}(_SeqId_[0-9]+_)?");

    static GivenFile of(Pair<byte[], String> file, Configuration configuration) {
        var path = new Path(file.getSecond());
        String family = Bytes.toStringBinary(file.getFirst());
        boolean isReplicated = isReplicated(path, configuration);
        return new GivenFile(
                file.getFirst(), path, family + " " + (isReplicated ? path.getName() : path.toString()), isReplicated);
    }

    /**
     * Of the same files always the same, in whatever order they are given: that of replication is another each time.
     */
    static List<String> names(List<GivenFile> files) {
        return files.stream().map(GivenFile::name).sorted().toList();
    }

    /** Whether it is where HBase copies files of other clusters to: {@code staging/RANDOM/FAMILY/NAME}. */
    private static boolean isReplicated(Path path, Configuration configuration) {
        if (path.depth() < 4 || !STORED.matcher(path.getName()).matches()) {
            return false;
        }
        var staging = new Path(configuration.get(HConstants.HBASE_DIR, "/"), HConstants.BULKLOAD_STAGING_DIR_NAME);
        Path attempts = path.getParent().getParent().getParent();
        return attempts.toUri().getPath().equals(staging.toUri().getPath());
    }

    /**
     * What tells it from another that had its name.
     *
     * <p>A copy of replication is new each time, so the time of its last change says nothing.
     */
    String state(Configuration configuration) throws IOException {
        FileStatus status = path.getFileSystem(configuration).getFileStatus(path);
        return name + " " + status.getLen() + (isReplicated ? "" : " " + status.getModificationTime());
    }

    /** Whether it is still there. */
    boolean exists(Configuration configuration) throws IOException {
        return path.getFileSystem(configuration).exists(path);
    }

    LoadedFile open(Configuration configuration) throws IOException {
        return LoadedFile.open(family, path, configuration);
    }
}
