package io.leeway.autotune.lab.internal.run;

import io.leeway.autotune.lab.Constraint;
import io.leeway.autotune.lab.Space;
import io.leeway.autotune.lab.StudyOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an application file and its parameters file say.
 *
 * @param name for people
 * @param home the directory of the file: commands run in it, relative paths start from it
 * @param output where everything is written
 * @param space all parameters
 * @param applies by parameter
 * @param services in the order in which they are started
 * @param templates what is written with values filled in, by the file that is written
 * @param deploy a command that brings a configuration into place; empty for none
 * @param load what is measured
 * @param objective the metric that is lowered; with a minus before it, raised
 * @param limits on metrics; a configuration that breaks one is never the best
 * @param study optimiser, budget, seed
 * @param reduction the name of the reduction; {@code none} for none
 * @param traces files of traces for the reduction; empty if there are none
 * @param tracePort where spans are received
 * @param repeat measurements of each configuration, of which the median counts
 * @param verify pairs of the configuration without tuning and the best, measured in turn at the end
 * @param timeLimit of all
 * @param startLimit until a service is ready
 */
record App(
        String name,
        Path home,
        Path output,
        Space space,
        Map<String, Apply> applies,
        List<Service> services,
        Map<String, Path> templates,
        List<String> deploy,
        Load load,
        String objective,
        List<Constraint> limits,
        StudyOptions study,
        String reduction,
        List<Path> traces,
        int tracePort,
        int repeat,
        int verify,
        Duration timeLimit,
        Duration startLimit) {

    /**
     * A process.
     *
     * @param name unique
     * @param command with its arguments
     * @param environment beside the lab's own
     * @param ready when it counts as started
     * @param agents where its agent writes its address; null if it has none
     */
    record Service(
            String name,
            List<String> command,
            Map<String, String> environment,
            Ready ready,
            @Nullable Path agents) {}

    /** When a service counts as started. */
    sealed interface Ready {
        /** It answers with a status below 500. */
        record Http(URI uri) implements Ready {}

        /** Something listens. */
        record Port(int port) implements Ready {}

        /** It printed a line that contains this. */
        record Printed(String text) implements Ready {}

        /** It ended, successfully: a step of the preparation. */
        record Ended() implements Ready {}
    }

    /** What is measured under. */
    sealed interface Load {
        /**
         * The lab's own open loop.
         *
         * @param requests by weight
         * @param rate of all, a second
         * @param warmUp before counting
         * @param measure counted
         */
        record Open(List<Request> requests, double rate, Duration warmUp, Duration measure) implements Load {}

        /**
         * A command whose last line of output is a JSON object of metrics.
         *
         * @param command with its arguments
         * @param limit after which it is killed
         */
        record Command(List<String> command, Duration limit) implements Load {}
    }

    /**
     * A kind of request.
     *
     * @param name for its own percentiles
     * @param uri what is asked for
     * @param weight its part of all
     */
    record Request(String name, URI uri, double weight) {}
}
