package io.leeway.lazytables.apps;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A text file in UTF-8, plain or with the ending {@code .gz}, line by line; whoever finds a fault in a line can say where it stands.
 *
 * <p>Not for several threads.
 */
public final class InputLines implements AutoCloseable {

    private static final int BUFFER = 1 << 16;

    private final Path file;
    private final BufferedReader reader;
    private long number;

    private InputLines(Path file, BufferedReader reader) {
        this.file = file;
        this.reader = reader;
    }

    /** Opens it, or says that there is none. */
    public static InputLines open(Path file) {
        try {
            // Bytes that are no UTF-8 fail instead of becoming question marks: such a file is another one than was
            // meant.
            var decoder = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT);
            return new InputLines(file, new BufferedReader(new InputStreamReader(bytes(file), decoder), BUFFER));
        } catch (NoSuchFileException missing) {
            throw new BadInputException("there is no file " + file + "; give the path of one", missing);
        } catch (IOException unreadable) {
            throw new BadInputException("cannot read " + file + ": " + unreadable.getMessage(), unreadable);
        }
    }

    private static InputStream bytes(Path file) throws IOException {
        InputStream raw = Files.newInputStream(file);
        if (!file.toString().endsWith(".gz")) {
            return raw;
        }
        try {
            return new GZIPInputStream(raw, BUFFER);
        } catch (IOException noGzip) {
            raw.close();
            throw noGzip;
        }
    }

    /** The next line, or null behind the last. */
    public @Nullable String next() {
        try {
            String line = reader.readLine();
            if (line != null) {
                number++;
            }
            return line;
        } catch (IOException broken) {
            throw new BadInputException(
                    "cannot read " + file + " behind line " + number + ": " + broken.getMessage()
                            + "; is it text in UTF-8, or whole if compressed?",
                    broken);
        }
    }

    /** The next line; its absence is a fault. */
    public String required(String what) {
        String line = next();
        if (line == null) {
            throw new BadInputException(file + " ends behind line " + number + ", where " + what + " should stand");
        }
        return line;
    }

    /** A whole number within bounds, from a part of the line that was read last. */
    public long whole(String what, String text, long least, long most) {
        long value;
        try {
            value = Long.parseLong(text.strip());
        } catch (NumberFormatException none) {
            throw fault(what + " is no whole number: " + shortened(text), none);
        }
        if (value < least || value > most) {
            throw fault(what + " is " + value + ", not within " + least + " to " + most);
        }
        return value;
    }

    /** A finite number, from a part of the line that was read last. */
    public double number(String what, String text) {
        double value;
        try {
            value = Double.parseDouble(text.strip());
        } catch (NumberFormatException none) {
            throw fault(what + " is no number: " + shortened(text), none);
        }
        if (!Double.isFinite(value)) {
            throw fault(what + " is not finite: " + shortened(text));
        }
        return value;
    }

    /** A fault of the line that was read last. */
    public BadInputException fault(String what) {
        return new BadInputException(file + " line " + number + ": " + what);
    }

    private BadInputException fault(String what, Throwable cause) {
        return new BadInputException(file + " line " + number + ": " + what, cause);
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? "'" + text + "'" : "'" + text.substring(0, 40) + "...'";
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (IOException failed) {
            throw new BadInputException("cannot close " + file + ": " + failed.getMessage(), failed);
        }
    }
}
