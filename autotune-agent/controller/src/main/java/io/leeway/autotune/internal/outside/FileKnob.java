package io.leeway.autotune.internal.outside;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A setting in a configuration file, found by a regular expression whose first group is the value, and the command that
 * makes the program read it again or restarts it. If that command refuses, the file is as before, and the command runs
 * once more, so that the program is too.
 */
record FileKnob(KnobSpec spec, Path file, Pattern pattern, List<String> activate) implements OutsideKnob {

    private Matcher found(String text) throws IOException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find() || matcher.groupCount() < 1 || matcher.group(1) == null) {
            throw new IOException(pattern + " finds nothing in " + file);
        }
        return matcher;
    }

    @Override
    public KnobValue read() throws IOException {
        return Values.parse(spec, found(Files.readString(file)).group(1));
    }

    @Override
    public void write(KnobValue value) throws IOException {
        String before = Files.readString(file);
        Matcher place = found(before);
        replace(before.substring(0, place.start(1)) + value + before.substring(place.end(1)));
        try {
            makeItCount();
        } catch (IOException e) {
            replace(before);
            try {
                makeItCount();
            } catch (IOException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    private void makeItCount() throws IOException {
        if (!activate.isEmpty()) {
            Command.run(activate);
        }
    }

    private void replace(String text) throws IOException {
        Path written = Files.createTempFile(file.toAbsolutePath().getParent(), "autotune-", ".new");
        try {
            Files.writeString(written, text);
            Files.setPosixFilePermissions(written, Files.getPosixFilePermissions(file));
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
    }
}
