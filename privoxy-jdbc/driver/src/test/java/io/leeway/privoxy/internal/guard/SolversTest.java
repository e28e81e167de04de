package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.solver.SolverStage;
import io.leeway.privoxy.internal.solver.SolverStages;
import io.leeway.privoxy.spi.Cancellation;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.SmtScript;
import io.leeway.privoxy.spi.SmtSolver;
import io.leeway.testkit.LogCapture;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SolversTest {

    @TempDir
    Path directory;

    private LogCapture log;

    @BeforeEach
    void listen() {
        log = LogCapture.of("io.leeway.privoxy.solvers");
    }

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void aDriverAloneHasNoneAndSaysNothing() throws IOException {
        try (URLClassLoader alone = loader()) {
            assertThat(Solvers.find(alone)).isNull();
        }
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void theArtifactIsFound() throws IOException {
        offer(SolverStages.class, Stages.class.getName());

        try (URLClassLoader loader = loader()) {
            assertThat(Solvers.find(loader)).isInstanceOf(Stages.class);
        }
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void whoBringsASolverWithoutTheArtifactIsToldToAddIt() throws IOException {
        offer(SmtSolver.class, OwnSolver.class.getName());

        try (URLClassLoader loader = loader()) {
            assertThat(Solvers.find(loader)).isNull();
        }
        assertThat(log.messages(Level.WARNING))
                .singleElement()
                .asString()
                .contains(OwnSolver.class.getName(), "add", "io.leeway:privoxy-solvers", "refused");
    }

    @Test
    void anArtifactThatCannotBeLoadedIsNotUsed() throws IOException {
        offer(SolverStages.class, "io.leeway.privoxy.solvers.OfAnotherVersion");

        try (URLClassLoader loader = loader()) {
            assertThat(Solvers.find(loader)).isNull();
        }
        assertThat(log.messages(Level.WARNING))
                .singleElement()
                .asString()
                .contains("io.leeway.privoxy.solvers.OfAnotherVersion", "the version of privoxy-jdbc");
    }

    private void offer(Class<?> service, String implementation) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(service.getName()), implementation);
    }

    private URLClassLoader loader() throws IOException {
        return new URLClassLoader(new URL[] {directory.toUri().toURL()}, Solvers.class.getClassLoader());
    }

    /** As the artifact's. */
    public static final class Stages implements SolverStages {
        @Override
        public SolverStage stage(
                CompiledPolicy policy, int effort, boolean withExamples, PrivoxyMetricsTracker tracker) {
            return SolverStage.NONE;
        }
    }

    /** As users write them. */
    public static final class OwnSolver implements SmtSolver {
        @Override
        public String name() {
            return "own";
        }

        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public Outcome check(SmtScript script, Limits limits, Cancellation cancellation) {
            return Outcome.Unknown.OUT_OF_LIMITS;
        }
    }
}
