package io.leeway.lazytables.apps.mf;

import io.leeway.lazytables.apps.BadInputException;
import io.leeway.lazytables.apps.InputLines;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The formats in which MovieLens publishes ratings: {@code userId,movieId,rating,timestamp} with a line of names, {@code ::}
 * between the parts, or tabulators. Users and items are numbered anew, in the order in which they come.
 */
public final class MovieLensFile {

    private static final Pattern BETWEEN = Pattern.compile("::|,|\t");
    private static final String NAMES = "userId";

    private MovieLensFile() {}

    /** Reads it. */
    public static Ratings read(Path file) {
        Map<Long, Integer> users = new HashMap<>();
        Map<Long, Integer> items = new HashMap<>();
        int[] user = new int[1 << 10];
        int[] item = new int[1 << 10];
        float[] value = new float[1 << 10];
        int n = 0;
        try (InputLines lines = InputLines.open(file)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                if (line.isBlank() || (n == 0 && line.startsWith(NAMES))) {
                    continue;
                }
                String[] parts = BETWEEN.split(line);
                if (parts.length < 3) {
                    throw lines.fault("there are " + parts.length
                            + " parts, not user, item and rating with commas, :: or tabulators between them");
                }
                if (n == user.length) {
                    int more = Math.addExact(n, n >> 1);
                    user = Arrays.copyOf(user, more);
                    item = Arrays.copyOf(item, more);
                    value = Arrays.copyOf(value, more);
                }
                user[n] = number(users, lines.whole("the user", parts[0], 0, Long.MAX_VALUE));
                item[n] = number(items, lines.whole("the item", parts[1], 0, Long.MAX_VALUE));
                value[n++] = (float) lines.number("the rating", parts[2]);
            }
        }
        if (n == 0) {
            throw new BadInputException(file + " has no ratings");
        }
        return new Ratings(
                users.size(), items.size(), Arrays.copyOf(user, n), Arrays.copyOf(item, n), Arrays.copyOf(value, n));
    }

    private static int number(Map<Long, Integer> numbers, long id) {
        Integer known = numbers.get(id);
        if (known == null) {
            known = numbers.size();
            numbers.put(id, known);
        }
        return known;
    }
}
