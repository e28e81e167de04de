package io.leeway.privoxy.internal.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Files that are named on the command line. */
final class TextFiles {

    private TextFiles() {}

    /** The path of that name. */
    static Path path(String name) throws CommandException {
        try {
            return Path.of(name);
        } catch (InvalidPathException noPath) {
            throw new CommandException("\"" + name + "\" is no path", noPath);
        }
    }

    /** Reads a text. */
    static String read(String name) throws CommandException {
        try {
            return Files.readString(path(name));
        } catch (IOException unreadable) {
            throw cannot("read", name, unreadable);
        }
    }

    /** Writes a text; what is there is replaced. */
    static void write(String name, String text) throws CommandException {
        try {
            Files.writeString(path(name), text);
        } catch (IOException unwritable) {
            throw cannot("write", name, unwritable);
        }
    }

    /** Says why a file cannot be used. */
    static CommandException cannot(String what, String name, IOException reason) {
        String why = reason instanceof NoSuchFileException
                ? "there is no such file"
                : reason instanceof AccessDeniedException
                        ? "it may not be accessed"
                        : reason instanceof CharacterCodingException ? "it is not UTF-8" : reason.getMessage();
        return new CommandException("cannot " + what + " " + name + ": " + why, reason);
    }
}
