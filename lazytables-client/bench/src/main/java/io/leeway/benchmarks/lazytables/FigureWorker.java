package io.leeway.benchmarks.lazytables;

import static java.util.Objects.requireNonNull;

import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.Arguments;
import io.leeway.lazytables.apps.Launch;
import io.leeway.lazytables.apps.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker's process: an application as its own main class would run it, and marks of what it used. Its options besides those of
 * all applications are {@code --workload}, {@code --share} of the data, {@code --server-pids},
 * {@code --measure-every} so many passes the objective, with a mark as often, {@code --steps} so many times as long as usual, and {@code --paces}, which hold in turn, each for {@code --stretch} passes.
 */
public final class FigureWorker {

    private static final String PACED = "paced";

    private FigureWorker() {}

    /** Started by {@link Processes}. */
    public static void main(String[] typed) {
        System.exit(Launch.run(FigureWorker::run, typed));
    }

    private static void run(Arguments arguments, Launch launch) {
        String workload = requireNonNull(arguments.text("workload"));
        double share = arguments.number("share", 1);
        int workers = arguments.whole("workers", 1, 1, 1024);
        List<ProcessHandle> servers = servers(arguments.text("server-pids"));
        int measureEvery = arguments.whole("measure-every", 1, 1, 1024);
        Application<?> application = workload.equals(PACED)
                ? PacedApplication.of(arguments, launch.seed())
                : Workload.parse(workload).application(launch.seed(), share, workers, arguments.number("steps", 1));
        String paces = arguments.text("paces");
        int stretch = arguments.whole("stretch", 1, 1, 1_000_000);
        Application<?> paced = paces == null ? application : inTurn(application, paces, stretch);
        run(paced, servers, measureEvery, launch);
    }

    private static <R> Application<R> inTurn(Application<R> application, String paces, int stretch) {
        return new PacesInTurn<>(application, PacesInTurn.parse(paces), stretch);
    }

    private static <R> void run(
            Application<R> application, List<ProcessHandle> servers, int measureEvery, Launch launch) {
        var marks = new ArrayList<Mark>();
        Outcome<R> outcome = launch.run(new Marked<>(application, servers, marks::add, measureEvery));
        marks.forEach(mark -> launch.say(mark.text()));
        outcome.curve().forEach(point -> launch.say(MeasuredRun.text(point)));
    }

    private static List<ProcessHandle> servers(@Nullable String pids) {
        if (pids == null || pids.isEmpty()) {
            return List.of();
        }
        return Arrays.stream(pids.split(","))
                .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                .toList();
    }
}
