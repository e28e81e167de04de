package io.leeway.autotune.lab;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code autotune lab}: configurations of an application, searched by experiments before it is deployed.
 *
 * @since 0.1
 */
@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        description = "Searches configurations of an application by experiments; a run that was killed goes on.")
public final class LabCommand implements Runnable {

    @Parameters(paramLabel = "APP.YAML", description = "The application file; lab.md has its keys.")
    private Path file = Path.of("app.yaml");

    @Option(names = "--check", description = "Only reads the files and says what would be done.")
    private boolean isCheck;

    @Option(names = "--fresh", description = "Forgets what an earlier run left in the output directory.")
    private boolean isFresh;

    /** As the command line makes it. */
    public LabCommand() {}

    @Override
    public void run() {
        if (isCheck) {
            System.out.println(Lab.check(file));
        } else {
            Lab.Result result = Lab.run(file, isFresh, System.out::println);
            System.out.println("Report: " + result.output().resolve("report.html"));
        }
    }
}
