package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.upkeep.Reshard;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;

/** {@code lazytables reshard}: spreads the snapshots of servers over another number of servers. */
final class ReshardCommand {

    static final String HELP = """
            lazytables reshard --from=DIR,DIR,... --into=DIR,DIR,...
              Spreads what servers that were told to end have stored over as many new ones as there are directories
              behind --into, which must be empty. Server n of the run is started in the n-th of them then, and client
              processes with lazytables.resume=true.

            """;

    private static final String FROM = "from";
    private static final String INTO = "into";

    private ReshardCommand() {}

    static int run(List<String> arguments, PrintStream print) {
        Words words = Words.of(arguments, Set.of(FROM, INTO));
        if (!words.names().isEmpty() || !words.options().isEmpty()) {
            throw Words.usage("reshard takes --from and --into alone");
        }
        List<String> from = places(words, FROM);
        List<String> into = places(words, INTO);
        Reshard.spread(from, into, CombineOps.of(List.of()));
        print.println("spread the tables of " + from.size() + " servers over " + into.size());
        return 0;
    }

    /**
     * In their order, which is that of the servers' numbers. One directory twice would be one server's rows as two
     * servers'.
     */
    private static List<String> places(Words words, String name) {
        String given = words.text(name);
        List<String> places = given == null
                ? List.of()
                : List.of(given.split(",", -1)).stream().map(String::strip).toList();
        if (places.isEmpty() || places.contains("")) {
            throw Words.usage("reshard needs --" + name + "=DIR,DIR,...: the snapshot directory of each server");
        }
        if (Set.copyOf(places).size() < places.size()) {
            throw Words.usage("--" + name + "=" + given + " names a directory twice: each server has its own");
        }
        return places;
    }
}
