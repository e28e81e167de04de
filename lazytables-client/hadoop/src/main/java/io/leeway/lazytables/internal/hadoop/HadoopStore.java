package io.leeway.lazytables.internal.hadoop;

import io.leeway.lazytables.spi.SnapshotStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;

/*
 * Files are written under another name, brought to disks where the file system can do that, and renamed, so a name stands for all of its bytes.
 *
 * There is no lock that every file system has and that goes away with its process. So a server that opens the directory takes it over: it makes an owner file with the next number, then deletes what others have not
 * finished. Before a rename, and before a delete, a server looks whether it is still the last owner. A server that was taken over cannot store any more: if it looks after the other's file was made it sees that, and if it looked
 * before, what it wanted to rename was deleted, since names of unfinished files carry the number of who writes them. This needs a file system that shows a new file to everybody at once and renames in one step, as
 * HDFS does; an object store renames by copying, and there a server that stands still between its look and its copy may still leave a snapshot that is whole, but not the other's.
 *
 * Owner files stay when a store is closed: numbers must not come again.
 */

/** Snapshots as files of a directory in one of Hadoop's file systems. */
final class HadoopStore implements SnapshotStore {

    private static final Pattern OWNER = Pattern.compile("owner-([0-9]{1,18})");
    private static final String UNFINISHED = ".unfinished-";
    /** Of who only reads; owners have numbers from 1 on. */
    private static final long NOBODY = 0;

    private final FileSystem files;
    private final Path directory;
    private final long number;

    private HadoopStore(FileSystem files, Path directory, long number) {
        this.files = files;
        this.directory = directory;
        this.number = number;
    }

    /** How a directory is opened. */
    @FunctionalInterface
    private interface Opening {
        HadoopStore open(FileSystem files, Path directory) throws IOException;
    }

    /** Opens a directory that is there, with a connection of its own to the file system. */
    static HadoopStore open(String location, Configuration configuration) throws IOException {
        return open(location, configuration, HadoopStore::takeOver);
    }

    /** The same to read only: its owner stays what it is. */
    static HadoopStore openToRead(String location, Configuration configuration) throws IOException {
        return open(location, configuration, (files, directory) -> {
            requireDirectory(files, directory);
            return new HadoopStore(files, directory, NOBODY);
        });
    }

    private static HadoopStore open(String location, Configuration configuration, Opening opening) throws IOException {
        try {
            var directory = new Path(location);
            FileSystem files = FileSystem.newInstance(directory.toUri(), configuration);
            try {
                return opening.open(files, directory);
            } catch (IOException | RuntimeException e) {
                files.close();
                throw e;
            }
        } catch (RuntimeException e) {
            // What Hadoop throws at a host that it cannot find, or a URI that it cannot read.
            throw new IOException(location + " cannot be opened: " + e.getMessage(), e);
        }
    }

    /** Makes a directory in one that is there, unless it is there already. */
    static void make(String location, String name, Configuration configuration) throws IOException {
        try {
            var directory = new Path(location);
            try (FileSystem files = FileSystem.newInstance(directory.toUri(), configuration)) {
                requireDirectory(files, directory);
                var made = new Path(directory, name);
                if (!files.mkdirs(made)) {
                    throw new IOException(made + " cannot be made");
                }
            }
        } catch (RuntimeException e) {
            throw new IOException(location + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private static HadoopStore takeOver(FileSystem files, Path directory) throws IOException {
        requireDirectory(files, directory);
        List<String> before = names(files, directory);
        long number = lastOwner(before) + 1;
        try {
            files.createFile(new Path(directory, "owner-" + number))
                    .overwrite(false)
                    .build()
                    .close();
        } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
            throw new IOException(
                    "another server uses " + directory + ", since this moment; give each server a directory of its own",
                    e);
        }
        for (String name : names(files, directory)) {
            Matcher owner = OWNER.matcher(name);
            if (name.contains(UNFINISHED) || owner.matches() && Long.parseLong(owner.group(1)) < number) {
                files.delete(new Path(directory, name), false);
            }
        }
        return new HadoopStore(files, directory, number);
    }

    @Override
    public List<String> list() throws IOException {
        return names(files, directory).stream()
                .filter(name -> !OWNER.matcher(name).matches() && !name.contains(UNFINISHED))
                .toList();
    }

    @Override
    public byte[] read(String name) throws IOException {
        var file = new Path(directory, name);
        byte[] bytes = new byte[Math.toIntExact(files.getFileStatus(file).getLen())];
        try (FSDataInputStream in = files.open(file)) {
            in.readFully(0, bytes);
        }
        return bytes;
    }

    @Override
    public void write(String name, byte[] content) throws IOException {
        var unfinished = new Path(directory, name + UNFINISHED + number);
        var finished = new Path(directory, name);
        try {
            writeThrough(unfinished, content);
            requireOwner();
            if (files.exists(finished)) {
                throw new FileAlreadyExistsException(finished + " is there already");
            }
            if (!files.rename(unfinished, finished)) {
                throw new IOException(unfinished + " cannot be renamed to " + finished);
            }
        } catch (IOException | RuntimeException e) {
            // A part of it would only take the room that the next one needs.
            deleteQuietly(unfinished, e);
            throw inOneLine(e);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        requireOwner();
        var file = new Path(directory, name);
        if (!files.delete(file, false)) {
            throw new FileNotFoundException(file + " is not there");
        }
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    /** The message of what a server of Hadoop throws has all of the stack there. */
    private static IOException inOneLine(Exception e) {
        String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return new IOException(e.getClass().getSimpleName() + ": " + message, e);
    }

    private static void requireDirectory(FileSystem files, Path directory) throws IOException {
        if (!isDirectory(files, directory)) {
            throw new NotDirectoryException(directory + " is no directory; create it");
        }
    }

    private void requireOwner() throws IOException {
        if (number == NOBODY) {
            throw new IOException(directory + " is open to read only");
        }
        if (lastOwner(names(files, directory)) > number) {
            throw new IOException("another server uses " + directory
                    + " now and this one does not any more; give each server a directory of its own");
        }
    }

    /** Makes no directories: one that is made where another was taken away would be an empty one. */
    private void writeThrough(Path file, byte[] content) throws IOException {
        FSDataOutputStream out = files.createFile(file).overwrite(true).build();
        try {
            out.write(content);
            if (out.hasCapability(StreamCapabilities.HSYNC)) {
                out.hsync();
            }
        } catch (IOException | RuntimeException e) {
            // Not by the language's own means: HDFS throws the same exception once more, which cannot be added to
            // itself.
            closeQuietly(out, e);
            throw e;
        }
        out.close();
    }

    private static void closeQuietly(FSDataOutputStream out, Exception because) {
        try {
            out.close();
        } catch (IOException | RuntimeException e) {
            if (e != because) {
                because.addSuppressed(e);
            }
        }
    }

    private void deleteQuietly(Path file, Exception because) {
        try {
            files.delete(file, false);
        } catch (IOException | RuntimeException e) {
            if (e != because) {
                because.addSuppressed(e);
            }
        }
    }

    private static boolean isDirectory(FileSystem files, Path directory) throws IOException {
        try {
            return files.getFileStatus(directory).isDirectory();
        } catch (FileNotFoundException absent) {
            return false;
        }
    }

    private static long lastOwner(List<String> names) {
        long last = 0;
        for (String name : names) {
            Matcher owner = OWNER.matcher(name);
            if (owner.matches()) {
                last = Math.max(last, Long.parseLong(owner.group(1)));
            }
        }
        return last;
    }

    private static List<String> names(FileSystem files, Path directory) throws IOException {
        var names = new ArrayList<String>();
        for (FileStatus file : files.listStatus(directory)) {
            names.add(file.getPath().getName());
        }
        return names;
    }
}
