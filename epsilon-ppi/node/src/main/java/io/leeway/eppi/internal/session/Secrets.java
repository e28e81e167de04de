package io.leeway.eppi.internal.session;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

/** Random numbers, and small files that only this node may read. */
public final class Secrets {

    private static final SecureRandom RANDOM = new SecureRandom();

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
            Files.write(part, bytes);
            if (part.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rw-------"));
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw EppiException.of(Code.STATE, file + " cannot be written: " + e.getMessage(), e);
        }
    }
}
