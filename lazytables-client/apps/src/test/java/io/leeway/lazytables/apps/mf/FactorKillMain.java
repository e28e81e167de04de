package io.leeway.lazytables.apps.mf;

import io.leeway.lazytables.apps.Arguments;
import io.leeway.lazytables.apps.Launch;
import io.leeway.lazytables.apps.Until;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Factors of made-up ratings, until a file is there (see {@link Until}); it prints their bits. */
public final class FactorKillMain {

    private static final long SEED = 3;

    private FactorKillMain() {}

    /** Runs it; see {@link FactorKillTest}. */
    public static void main(String[] typed) {
        System.exit(Launch.run(FactorKillMain::run, typed));
    }

    private static void run(Arguments arguments, Launch launch) {
        Path stop = Path.of(String.valueOf(arguments.text("until")));
        launch.say(text(launch.run(new Until<>(application(), stop)).result()));
    }

    static FactorApplication application() {
        return new FactorApplication(SyntheticRatings.generate(60, 40, 20, 3, 0.2, SEED), 4, 0.01, 0.05);
    }

    /** To the last bit. */
    static String text(FactorResult result) {
        float[] items = result.items();
        return IntStream.range(0, items.length)
                .mapToObj(i -> Integer.toHexString(Float.floatToRawIntBits(items[i])))
                .collect(Collectors.joining(" ", "factors ", ""));
    }
}
