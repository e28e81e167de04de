package io.leeway.eppi.internal.session;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;

/** Random numbers, and small files that only this node may read. */
public final class Secrets {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Set<StandardOpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private Secrets() {}

    /** Random bytes. */
    public static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    static SecureRandom source() {
        return RANDOM;
    }

    /** A secret that is made once and then kept. */
    public static byte[] kept(Path file, int length) {
        try {
            if (!Files.exists(file)) {
                write(file, random(length));
            }
            byte[] bytes = Files.readAllBytes(file);
            if (bytes.length != length) {
                throw EppiException.of(Code.STATE, file + " has " + bytes.length + " bytes instead of " + length);
            }
            return bytes;
        } catch (IOException e) {
            throw EppiException.of(Code.STATE, file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Writes a file as a whole, for the owner only. */
    public static void write(Path file, byte[] bytes) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Path part = file.resolveSibling(file.getFileName() + ".part");
            Files.deleteIfExists(part);
            // Nobody else may read it from the first byte on, and it is on the disk before it replaces the old one.
            try (FileChannel out = FileChannel.open(part, NEW, ofOwner(part))) {
                var left = ByteBuffer.wrap(bytes);
                while (left.hasRemaining()) {
                    out.write(left);
                }
                out.force(true);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw EppiException.of(Code.STATE, file + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static FileAttribute<?>[] ofOwner(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
