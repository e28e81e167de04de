package io.leeway.autotune.internal.outside;

import io.leeway.autotune.AutoTuneError;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Limits of a control group, of whichever version there is. Under the first version each controller has a directory of
 * its own. A limit of memory below what is used is refused by the kernel of the first version; the second one would
 * reclaim and kill, hence it is refused here.
 */
public final class ControlGroup {

    /** Shorter periods cost time; longer ones make stutters of a small quota. */
    private static final long PERIOD = 100_000;

    private static final long LEAST_QUOTA = 1_000;
    private static final double HEADROOM = 1.05;

    private final Path root;
    private final String name;

    /**
     * A group.
     *
     * @param root {@code /sys/fs/cgroup}
     * @param name its path below each hierarchy, such as {@code autotune/front}
     */
    public ControlGroup(Path root, String name) {
        this.root = root;
        this.name = name;
    }

    /** The group that a process is in, by what limits its CPU time. */
    static ControlGroup of(Path proc, Path root, long pid) throws IOException {
        String path = "/";
        for (String line : Files.readAllLines(proc.resolve(pid + "/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && List.of(parts[1].split(",")).contains("cpu")) {
                path = parts[2];
                break;
            }
            path = parts.length == 3 && parts[1].isEmpty() ? parts[2] : path;
        }
        if ("/".equals(path)) {
            throw new IOException("process " + pid + " is in the root group, which has no limits: give it its own");
        }
        return new ControlGroup(root, path.substring(1));
    }

    private boolean isSecondVersion() {
        return Files.exists(root.resolve("cgroup.controllers"));
    }

    private Path file(String controller, String file) {
        return (isSecondVersion() ? root : root.resolve(controller))
                .resolve(name)
                .resolve(file);
    }

    /** Makes it, in every hierarchy that it needs. */
    public void create() throws IOException {
        for (String controller : isSecondVersion() ? List.of("") : List.of("cpu", "memory", "blkio")) {
            Path directory = (isSecondVersion() ? root : root.resolve(controller)).resolve(name);
            try {
                Files.createDirectories(directory);
                Path parent = directory.getParent();
                if (isSecondVersion() && parent != null) {
                    delegate(parent);
                }
            } catch (FileSystemException e) {
                throw AutoTuneError.READ_ONLY.because(directory.toString(), e);
            }
        }
    }

    /** Children of the second version have only the controllers that their parent passes on. */
    private static void delegate(Path parent) throws IOException {
        Files.writeString(parent.resolve("cgroup.subtree_control"), "+cpu +memory");
    }

    /** Removes it; its processes have to be gone or elsewhere. */
    public void remove() {
        for (String controller : isSecondVersion() ? List.of("") : List.of("cpu", "memory", "blkio")) {
            try {
                Files.deleteIfExists((isSecondVersion() ? root : root.resolve(controller)).resolve(name));
            } catch (IOException e) {
                // Somebody is in it still: the kernel keeps it, and no limit of it harms others.
            }
        }
    }

    /** Moves a process into it. */
    public void add(long pid) throws IOException {
        for (String controller : isSecondVersion() ? List.of("") : List.of("cpu", "memory", "blkio")) {
            write(file(controller, "cgroup.procs"), Long.toString(pid));
        }
    }

    /** Cores; infinite without a limit. */
    public double cpu() throws IOException {
        if (isSecondVersion()) {
            String[] parts = text(file("", "cpu.max")).split(" ");
            return "max".equals(parts[0]) ? Double.POSITIVE_INFINITY : number(parts[0]) / number(parts[1]);
        }
        double quota = number(text(file("cpu", "cpu.cfs_quota_us")));
        return quota < 0 ? Double.POSITIVE_INFINITY : quota / number(text(file("cpu", "cpu.cfs_period_us")));
    }

    /** Sets so many cores; infinite takes the limit away. */
    public void setCpu(double cores) throws IOException {
        long quota = Math.max(LEAST_QUOTA, Math.round(cores * PERIOD));
        boolean limited = Double.isFinite(cores);
        if (isSecondVersion()) {
            write(file("", "cpu.max"), (limited ? Long.toString(quota) : "max") + " " + PERIOD);
        } else {
            write(file("cpu", "cpu.cfs_period_us"), Long.toString(PERIOD));
            write(file("cpu", "cpu.cfs_quota_us"), limited ? Long.toString(quota) : "-1");
        }
    }

    /** Bytes; infinite without a limit. */
    public double memory() throws IOException {
        String text = text(isSecondVersion() ? file("", "memory.max") : file("memory", "memory.limit_in_bytes"));
        double limit = "max".equals(text) ? Double.POSITIVE_INFINITY : number(text);
        return limit > 1L << 60 ? Double.POSITIVE_INFINITY : limit;
    }

    /**
     * Sets so many bytes; infinite takes the limit away.
     *
     * @throws IOException if more than that is in use
     */
    public void setMemory(double bytes) throws IOException {
        if (isSecondVersion()) {
            double used = number(text(file("", "memory.current")));
            if (bytes < used * HEADROOM) {
                throw new IOException("the group uses " + (long) used + " bytes; the kernel would kill what is in it");
            }
            write(file("", "memory.max"), Double.isFinite(bytes) ? Long.toString((long) bytes) : "max");
        } else {
            write(file("memory", "memory.limit_in_bytes"), Double.isFinite(bytes) ? Long.toString((long) bytes) : "-1");
        }
    }

    /** Bytes a second that are read and written on a device, such as {@code 254:0}; infinite without a limit. */
    public double disk(String device) throws IOException {
        String text = text(isSecondVersion() ? file("", "io.max") : file("blkio", "blkio.throttle.read_bps_device"));
        for (String line : text.lines().toList()) {
            if (line.startsWith(device + " ")) {
                String value = line.substring(line.lastIndexOf(' ') + 1);
                for (String word : line.split(" ")) {
                    value = word.startsWith("rbps=") ? word.substring("rbps=".length()) : value;
                }
                return "max".equals(value) ? Double.POSITIVE_INFINITY : number(value);
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** Sets so many bytes a second, for reading and for writing. */
    public void setDisk(String device, double bytes) throws IOException {
        boolean limited = Double.isFinite(bytes);
        if (isSecondVersion()) {
            String value = limited ? Long.toString((long) bytes) : "max";
            write(file("", "io.max"), device + " rbps=" + value + " wbps=" + value);
        } else {
            // Nought takes the limit away.
            String value = device + " " + (limited ? (long) bytes : 0);
            write(file("blkio", "blkio.throttle.read_bps_device"), value);
            write(file("blkio", "blkio.throttle.write_bps_device"), value);
        }
    }

    private static double number(String text) throws IOException {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IOException("not a number of a control group: " + text, e);
        }
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    private static void write(Path file, String text) throws IOException {
        try {
            Files.writeString(file, text, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        } catch (AccessDeniedException e) {
            throw AutoTuneError.READ_ONLY.because(file.toString(), e);
        } catch (FileSystemException e) {
            if (String.valueOf(e.getReason()).contains("Read-only")) {
                throw AutoTuneError.READ_ONLY.because(file.toString(), e);
            }
            throw e;
        }
    }

    /** Where they are on a Linux machine. */
    public static Path standardRoot() {
        return Paths.get("/sys/fs/cgroup");
    }
}
