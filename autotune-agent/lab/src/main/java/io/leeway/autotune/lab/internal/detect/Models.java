package io.leeway.autotune.lab.internal.detect;

import io.leeway.autotune.AutoTuneError;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Models as files: JSON in gzip, with the description of the data that they were trained on. */
public final class Models {

    private static final String STANDARD = "model.json.gz";
    private static final int MOST_BYTES = 20_000_000;

    private Models() {}

    /** The one that comes along. */
    public static GraphDetector standard() {
        try (InputStream in = Models.class.getResourceAsStream(STANDARD)) {
            if (in == null) {
                throw AutoTuneError.BAD_MODEL.because("there is no model in this jar");
            }
            return read(in);
        } catch (IOException e) {
            throw AutoTuneError.BAD_MODEL.because(String.valueOf(e.getMessage()), e);
        }
    }

    /** One of a file, packed or not. */
    public static GraphDetector of(Path file) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            in.mark(1);
            boolean isPacked = in.read() == 0x1f;
            in.reset();
            return isPacked
                    ? read(in)
                    : GraphDetector.fromJson(new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw AutoTuneError.BAD_MODEL.because("there is no file " + file, e);
        } catch (IOException e) {
            throw AutoTuneError.BAD_MODEL.because(file + ": " + e.getMessage(), e);
        }
    }

    private static GraphDetector read(InputStream in) throws IOException {
        return GraphDetector.fromJson(
                new String(new GZIPInputStream(in).readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
    }

    /** Writes one. */
    public static void write(GraphDetector detector, Path file) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(detector.toJson().getBytes(StandardCharsets.UTF_8));
        }
    }
}
