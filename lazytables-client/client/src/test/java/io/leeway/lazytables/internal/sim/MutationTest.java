package io.leeway.lazytables.internal.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.TableSpec;
import io.leeway.testkit.Depth;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults that are put into the real code on purpose: the simulator finds each of them, so its silence says something. */
@Tag(Depth.DEEP)
class MutationTest {

    private static final int RUNS = 2_000;
    private static final String PACKAGE = "io.leeway.lazytables.internal.";

    @TempDir
    private Path classes;

    @ParameterizedTest
    @MethodSource
    void theSimulatorFinds(Mutation mutation) throws Exception {
        compile(mutation);
        try (var loader = new MutantLoader(classes)) {
            Method run = loader.loadClass(PACKAGE + "sim.Simulation").getMethod("run", long.class);
            assertThat(findsWithin(run)).as("%s stays unseen", mutation).isTrue();
        }
    }

    /** The simulator has one thread; what keeps threads apart is tried by another program. */
    @ParameterizedTest
    @MethodSource
    void theProgramOfThreadsFinds(Mutation mutation) throws Exception {
        compile(mutation);
        try (var loader = new MutantLoader(classes)) {
            Method run =
                    loader.loadClass(PACKAGE + "process.EventsOfTheNetwork").getMethod("run");
            assertThatThrownBy(() -> run.invoke(null))
                    .as("%s stays unseen", mutation)
                    .isInstanceOf(InvocationTargetException.class)
                    .hasRootCauseInstanceOf(AssertionError.class);
        }
    }

    /** None of the simulator's first programs shows it: it takes a server that lost all and a process that others had gone on with. */
    @Test
    void aTestOfOneServerFindsOneThatTakesAnybodyForANewcomer() throws Exception {
        compile(new Mutation(
                "a server that lost what it knew of a process takes it for one that joins",
                "server/Admission",
                "if (hello.commits && hello.process >= processes) {",
                "if (hello.commits) {"));
        try (var loader = new MutantLoader(classes)) {
            Constructor<?> test =
                    loader.loadClass(PACKAGE + "server.JoiningProcessTest").getDeclaredConstructor();
            test.setAccessible(true);
            Method run = test.getDeclaringClass().getDeclaredMethod("whoIsWaitedForIsNoNewcomerWhereNobodyKnowsIt");
            run.setAccessible(true);
            Object ofMutant = test.newInstance();
            assertThatThrownBy(() -> run.invoke(ofMutant))
                    .isInstanceOf(InvocationTargetException.class)
                    .hasRootCauseInstanceOf(AssertionError.class);
        }
    }

    static List<Mutation> theProgramOfThreadsFinds() {
        return List.of(
                new Mutation(
                        "an event comes into the core while a worker is there",
                        "process/ClientProcess",
                        "        lock.lock();\n        try {\n            event.run();\n",
                        "        event.run();\n        lock.lock();\n        try {\n"),
                new Mutation(
                        "frames do not pass by the lock",
                        "process/ClientProcess",
                        "        inCore(() -> {\n            traffic.received(length);",
                        "        traffic.received(length);\n        inCore(() -> {"));
    }

    static List<Mutation> theSimulatorFinds() {
        return List.of(
                new Mutation(
                        "own updates are not done again on a row that comes",
                        "client/ProcessCache",
                        "link.applyMissing(row.table.id, row.key, fresh, appliedToRow);",
                        ""),
                new Mutation(
                        "own updates are not done again on a row that is kept as it came",
                        "client/ProcessCache",
                        "if (missing != null) {",
                        "if (missing == null) {"),
                new Mutation(
                        "what is owed to a row that is kept as it came is not done to the worker's copy",
                        "client/SharedValues",
                        "owed.applyTo(row.owedAt, copy);",
                        ""),
                new Mutation(
                        "what a row was as it came counts once more", "client/ProcessRow", "answerLength = 0;", ""),
                new Mutation(
                        "updates that were not sent are not done again on a row that comes",
                        "client/ProcessCache",
                        "log.forEachUnsent(row, done -> done.applyTo(fresh));",
                        ""),
                new Mutation(
                        "an update that the row holds is done again",
                        "client/ServerLink",
                        "after(appliedToRow)",
                        "after(appliedToRow - 1)"),
                new Mutation(
                        "own updates do not reach the shared cache",
                        "client/ClientCore",
                        "cache.toShared(worker.dirty().get(i), worker.logOfDirty(i));",
                        ""),
                new Mutation(
                        "what is owed to a shared row is forgotten",
                        "client/OwedLogs",
                        "logs[first + i].applyTo(copy);",
                        ""),
                new Mutation(
                        "what was owed to a shared row is done to the one that comes",
                        "client/SharedValues",
                        "owed.forget(row.owedAt);",
                        ""),
                new Mutation(
                        "what was owed to a shared row is done twice",
                        "client/OwedLogs",
                        "applyTo(place, row);\n        forget(place);",
                        "applyTo(place, row);"),
                new Mutation(
                        "a row gets a place with what another one owed",
                        "client/OwedLogs",
                        "void giveBack(int place) {\n        forget(place);",
                        "void giveBack(int place) {"),
                new Mutation(
                        "logs that are still to be joined are owed",
                        "client/SharedValues",
                        "settings.workers() == 1",
                        "true"),
                new Mutation(
                        "a log goes by the places of a row that has taken other values",
                        "client/CachedRow",
                        "log.leave();",
                        ""),
                new Mutation(
                        "what is past the end of a clock shows in its tables",
                        "server/ServerTable",
                        "keepEnds(clock, log);",
                        ""),
                new Mutation(
                        "who is behind does not show in the tables of a clock",
                        "server/ServerTable",
                        "log.applyTo(then == nothing ? copied(kept, log.key(), nothing) : then);",
                        ""),
                new Mutation(
                        "the end of a clock is opened a clock late",
                        "server/ClockEnds",
                        "lastUpTo(clock - 1)",
                        "lastUpTo(Math.max(0, clock - 2))"),
                new Mutation(
                        "a server that is restarted takes what it cannot tell apart",
                        "server/ServerCore",
                        "mapToInt(Member::touched).max().orElse(0);",
                        "mapToInt(member -> 0).max().orElse(0);"),
                new Mutation(
                        "updates that come twice are applied twice",
                        "server/Member",
                        "if (sequence <= received) {\n            return false;\n        }\n"
                                + "        if (sequence != received + 1) {",
                        "if (sequence > received + 1) {"),
                new Mutation(
                        "a server answers one clock too early",
                        "server/RowReads",
                        "if (required <= globalClock && !recovering) {",
                        "if (required <= globalClock + 1 && !recovering) {"),
                new Mutation(
                        "a worker's bound is off by one",
                        "client/WorkerCore",
                        "Math.max(0, clock - slack)",
                        "Math.max(0, clock - slack - 1)"),
                new Mutation(
                        "a cached row counts as one clock fresher",
                        "client/ProcessCache",
                        "link.dataClock(shared) < required",
                        "link.dataClock(shared) < required - 1"),
                new Mutation(
                        "a worker's own cache counts as one clock fresher",
                        "client/WorkerCore",
                        "row.dataClock > required && ",
                        "row.dataClock >= required - 1 && "),
                new Mutation(
                        "the global clock is that of the fastest process",
                        "server/Clocks",
                        "int least = Integer.MAX_VALUE;\n        int last = 0;\n        for (Member member : members.values()) {\n"
                                + "            if (!member.hasLeft() && member.clock() < least) {",
                        "int least = 0;\n        int last = 0;\n        for (Member member : members.values()) {\n"
                                + "            if (!member.hasLeft() && member.clock() > least) {"),
                new Mutation(
                        "the server does not wait for all processes",
                        "server/Clocks",
                        "members.missing() > 0",
                        "members.values().isEmpty()"),
                new Mutation(
                        "the process's clock is that of its fastest worker",
                        "client/ClientCore",
                        "int least = Integer.MAX_VALUE;\n        for (WorkerCore worker : workers) {\n"
                                + "            least = Math.min(",
                        "int least = 0;\n        for (WorkerCore worker : workers) {\n"
                                + "            least = Math.max("),
                new Mutation(
                        "a worker that has ended holds its process back",
                        "client/WorkerCore",
                        "return ended ? Integer.MAX_VALUE : clock;",
                        "return clock;"),
                new Mutation(
                        "what workers did ahead of others that ended is lost",
                        "client/ClientCore",
                        "        worker.end();\n        completeClocks();",
                        "        worker.end();"),
                new Mutation(
                        "a process whose workers have ended holds the others back",
                        "client/ClientCore",
                        "if (workers.stream().allMatch(WorkerCore::hasEnded)) {",
                        "if (workers.isEmpty()) {"),
                new Mutation(
                        "what a worker did in the clock in which it ends is lost",
                        "client/ClientCore",
                        "if (!worker.dirty().isEmpty()) {",
                        "if (worker.dirty().isEmpty()) {"),
                new Mutation(
                        "what was lost with a connection is not sent again",
                        "client/ServerLink",
                        "sent = received;",
                        "sent = made;"),
                new Mutation(
                        "clients drop what no snapshot holds",
                        "server/Clocks",
                        "recoverable ? member.durable() : member.applied()",
                        "member.applied()"),
                new Mutation(
                        "clients drop what only the newest snapshot holds",
                        "server/Member",
                        "return life.hasLeft() ? stored : storedBefore;",
                        "return stored;"),
                new Mutation(
                        "a clock counts before all servers have it",
                        "client/LinkWriter",
                        "links.size() == 1 ? processClock : committed",
                        "processClock"),
                new Mutation(
                        "a clock counts when one server has it",
                        "client/ClientCore",
                        "Math.min(least, each.staged)",
                        "Math.max(least == Integer.MAX_VALUE ? 0 : least, each.staged)"),
                new Mutation(
                        "a successor begins where only some servers are",
                        "client/Succession",
                        "Math.min(least, each.complete)",
                        "least == Integer.MAX_VALUE ? each.complete : Math.max(least, each.complete)"),
                new Mutation(
                        "what was given up is applied later",
                        "server/Member",
                        "staged.clear();\n        received",
                        "received"),
                new Mutation(
                        "a process that joins holds nobody back",
                        "server/Clocks",
                        "if (!member.hasLeft() && member.clock() < least) {",
                        "if (!member.hasLeft() && member.hasBegun() && member.clock() < least) {"),
                new Mutation(
                        "a process that joins begins at clock 0",
                        "client/Succession",
                        "clock = least == Integer.MAX_VALUE ? most : Math.max(least, most);",
                        "clock = least == Integer.MAX_VALUE ? 0 : Math.max(least, most);"),
                new Mutation(
                        "a snapshot says that it holds more than it does",
                        "server/Member",
                        "out.putVar(applied);",
                        "out.putVar(applied + 1);"),
                new Mutation(
                        "what was asked is not asked again",
                        "client/ServerLink",
                        "toForget.clear();\n        askAgain();",
                        "toForget.clear();"),
                new Mutation(
                        "a strict read holds the next clock, too",
                        "server/ServerTable",
                        "waiting.headMap(required, true)",
                        "waiting.headMap(required + 1, true)"),
                new Mutation(
                        "a strict table applies one clock too early",
                        "server/ServerTable",
                        "globalClock - spec.slack()",
                        "globalClock + 1 - spec.slack()"),
                new Mutation(
                        "a strict read forgets the own updates",
                        "client/WorkerCopies",
                        "own.clock > shared.dataClock",
                        "own.clock > shared.dataClock + 1"),
                new Mutation("joined logs share a row", "client/ProcessLog", "table.strict ? row.copy() : row", "row"),
                new Mutation(
                        "a row that comes does not count as another version",
                        "client/ProcessCache",
                        "        row.version = ++versions;\n        if (values.mayOwe",
                        "        if (values.mayOwe"),
                new Mutation(
                        "of what was written since a version, the first column is forgotten",
                        "server/RowJournal",
                        "for (long at = before; at < version; at++)",
                        "for (long at = before + 1; at < version; at++)"),
                new Mutation(
                        "what changed is sent for a newer version than the client has",
                        "client/ServerLink",
                        "? row.serverVersion : 0",
                        "? row.serverVersion + 1 : 0"),
                new Mutation(
                        "versions of a server that is gone are used with the next",
                        "client/ServerLink",
                        "epoch++;",
                        ""),
                new Mutation(
                        "own updates are not done again on columns that changed",
                        "client/ProcessCache",
                        "link.applyMissing(row.table.id, row.key, known, appliedToRow, changed);",
                        ""),
                new Mutation(
                        "own updates are done again on columns that did not change",
                        "client/ProcessCache",
                        "done.applyTo(known, changed)",
                        "done.applyTo(known)"),
                new Mutation(
                        "rows that change are not sent",
                        "server/ServerCore",
                        "        RowReads.push(tables.values(), globalClock);\n",
                        ""),
                new Mutation(
                        "a row joins a message of another data clock",
                        "net/RowsMessage",
                        " && second == headSecond",
                        ""),
                new Mutation("a row joins a message of another kind", "net/RowsMessage", "kind == ofKind && ", ""),
                new Mutation(
                        "a row joins a message that others have come behind",
                        "net/Outbox",
                        "message != NO_MESSAGE && message == last",
                        "message != NO_MESSAGE && last != NO_MESSAGE"),
                new Mutation(
                        "values that nobody wants any more are not gone behind",
                        "client/ProcessCache",
                        "            Row.pass(table.spec, message);\n        } else",
                        "        } else"),
                new Mutation("a row that changes is sent once only", "server/Subscribers", "changed = false;", ""),
                new Mutation(
                        "clients that a row is sent to do not know their places",
                        "server/Subscribers",
                        "            last.at = subscription.at;\n",
                        ""),
                new Mutation(
                        "a row that a server before this one would have sent counts as fresh",
                        "client/ServerLink",
                        "return row.pushedOver == epoch ? Math.max",
                        "return row.pushedOver >= 0 ? Math.max"),
                new Mutation(
                        "a step that is too long is let through",
                        "client/ClientCore",
                        "BallReads.checkSteps(worker);",
                        ""),
                new Mutation(
                        "a read within a radius is answered one clock too early",
                        "server/BallReads",
                        "missing > read.allowed",
                        "missing > read.allowed + 1"),
                new Mutation(
                        "a clock that is missing does not count",
                        "server/BallReads",
                        "(clock - other.counted())",
                        "(clock - other.counted() - 1)"),
                new Mutation(
                        "who comes back after an end does not wait for others that have ended",
                        "server/Legs",
                        "member.hasLeft() && member.leg() < latest && member.process < processes",
                        "false"),
                new Mutation(
                        "who waits for a process that cannot be continued is not told",
                        "server/Attendance",
                        "member.forsake();",
                        ""),
                new Mutation(
                        "a process's missing clocks count for one worker",
                        "server/BallReads",
                        "(long) other.workers() * ",
                        ""),
                new Mutation(
                        "missing clocks of the own process do not count",
                        "client/BallReads",
                        "answer.apart(clock) + here",
                        "answer.apart(clock)"),
                new Mutation(
                        "surplus clocks in an answer do not count",
                        "client/BallRow",
                        "Math.abs((long) reader - clock)",
                        "Math.max(0, (long) reader - clock)"),
                new Mutation(
                        "clocks since an answer do not count",
                        "client/BallRow",
                        "Math.abs((long) reader - clock)",
                        "Math.max(0, (long) clock - reader)"),
                new Mutation(
                        "newer clocks of others are not left out",
                        "server/ServerTable",
                        "List<RowLog> later = waitingFor(key, clock);\n" + "        waiting.tailMap(clock, false)",
                        "List<RowLog> later = waitingFor(key, Integer.MAX_VALUE);\n"
                                + "        waiting.tailMap(Integer.MAX_VALUE, false)"),
                new Mutation(
                        "newer clocks of the own process are not left out",
                        "client/BallReads",
                        "applyUnsent(row, values, clock - processClock)",
                        "applyUnsent(row, values, unsent.size())"),
                new Mutation(
                        "own clocks behind a late question are left out",
                        "server/ServerTable",
                        "waiting.tailMap(clock, false)",
                        "waiting.tailMap(Integer.MAX_VALUE, false)"),
                new Mutation(
                        "a server is asked to store what is too much for it alone",
                        "client/LinkWriter",
                        "settings.keptLimit() / 2 / links.size()",
                        "settings.keptLimit() / 2"),
                new Mutation(
                        "what there was no room for counts as sent",
                        "client/LinkWriter",
                        "link.sent = part.sequence;",
                        "link.sent = link.made;"),
                new Mutation(
                        "a clock is committed before all of it is on its way",
                        "client/LinkWriter",
                        "return next.end ? next.clock : next.clock - 1;",
                        "return processClock;"),
                new Mutation(
                        "a client is told of a clock before it has the rows that changed",
                        "server/Clocks",
                        "session.isBehind() ? session.clockTold : globalClock",
                        "globalClock"),
                new Mutation(
                        "a server that is asked to store thinks of what counts already",
                        "server/Member",
                        "urgent = received;",
                        "urgent = applied;"),
                new Mutation(
                        "clocks that the process completes do not reach kept answers",
                        "client/ProcessLog",
                        "table.balls.apply(log);",
                        ""));
    }

    private static boolean findsWithin(Method run) throws IllegalAccessException {
        for (long seed = 0; seed < RUNS; seed++) {
            try {
                run.invoke(null, seed);
            } catch (InvocationTargetException e) {
                return true;
            }
        }
        return false;
    }

    private void compile(Mutation mutation) throws IOException {
        Path sources = Path.of("src/main/java/io/leeway/lazytables/internal");
        String source = Files.readString(sources.resolve(mutation.file + ".java"));
        assertThat(source.split(Pattern.quote(mutation.before), -1))
                .as("places of '%s' in %s", mutation.before, mutation.file)
                .hasSize(2);
        Path mutant = classes.resolve(mutation.file.substring(mutation.file.indexOf('/') + 1) + ".java");
        Files.writeString(mutant, source.replace(mutation.before, mutation.after));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-d",
                        classes.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        mutant.toString());
        assertThat(result).as("compiles").isZero();
    }

    private record Mutation(String what, String file, String before, String after) {

        @Override
        public String toString() {
            return what;
        }
    }

    /** Loads the product and the simulator once more, with the mutant's classes in place of the real ones. */
    private static final class MutantLoader extends URLClassLoader {

        MutantLoader(Path mutants) throws IOException {
            super(
                    new URL[] {mutants.toUri().toURL(), place(TableSpec.class), place(Simulation.class)},
                    MutationTest.class.getClassLoader());
        }

        private static URL place(Class<?> type) {
            return type.getProtectionDomain().getCodeSource().getLocation();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && name.startsWith("io.leeway.lazytables.")) {
                    loaded = findClass(name);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }
    }
}
