package io.leeway.testkit.db;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Chooses who starts the servers. */
final class ProviderChoice {

    /** {@code auto} (the default), {@code embedded} or {@code containers}. */
    static final String PROPERTY = "leeway.testkit.servers";

    private ProviderChoice() {}

    static ServerProvider fromEnvironment() {
        return choose(System.getProperty(PROPERTY), ContainerProvider::dockerAnswers);
    }

    /** Docker is asked only where the answer matters: asking takes a second where no engine is. */
    static ServerProvider choose(@Nullable String wanted, BooleanSupplier dockerAnswers) {
        String choice = wanted == null || wanted.isBlank() ? "auto" : wanted;
        return switch (choice) {
            case "embedded" -> new EmbeddedProvider();
            case "containers" -> new ContainerProvider();
            case "auto" -> dockerAnswers.getAsBoolean() ? new ContainerProvider() : new EmbeddedProvider();
            default ->
                throw new IllegalArgumentException(PROPERTY + "=" + choice + ": expected auto, embedded or containers");
        };
    }
}
