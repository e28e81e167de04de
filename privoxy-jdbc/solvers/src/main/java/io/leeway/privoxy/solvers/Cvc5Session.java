package io.leeway.privoxy.solvers;

import io.github.cvc5.Command;
import io.github.cvc5.InputParser;
import io.github.cvc5.Solver;
import io.github.cvc5.SymbolManager;
import io.github.cvc5.TermManager;
import io.github.cvc5.modes.InputLanguage;
import io.leeway.privoxy.spi.Cancellation;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.SmtScript;

/**
 * One run of cvc5: everything that touches its classes. Terms belong to the session's own manager, so sessions do not
 * share state; but the Java binding notes every object in a map without a lock, so objects are made and freed under a
 * lock of ours. Solving itself runs outside of it.
 *
 * <p>In the application's process and not as a command: a start of a process and its pipes cost more than most checks,
 * and a host may forbid them. A session is used by one thread.
 */
final class Cvc5Session implements AutoCloseable {

    /**
     * cvc5's resource units in a millisecond, measured on unbounded quantifier instantiation.
     *
     * <p>Effort is counted by the solver, so that a busy machine changes how long a check takes and not what comes out.
     * The wall time stands beside it as a last resort.
     */
    private static final long UNITS_PER_EFFORT = 100;

    /** One for the whole process, as the map that it guards is. */
    private static final Object OBJECTS = new Object();

    private final TermManager terms;
    private final Solver solver;
    private final SymbolManager symbols;
    private final InputParser parser;

    private Cvc5Session() {
        synchronized (OBJECTS) {
            terms = new TermManager();
            solver = new Solver(terms);
            symbols = new SymbolManager(terms);
            parser = new InputParser(solver, symbols);
        }
    }

    /**
     * The smallest use of the native code.
     *
     * <p>Makes and frees all kinds of objects, so that what is missing of the library shows here.
     */
    static void probe() {
        new Cvc5Session().close();
    }

    static Outcome run(SmtScript script, Limits limits, Cancellation cancellation) {
        try (Cvc5Session session = new Cvc5Session()) {
            // Each check has the limit for itself; a core takes several in one session.
            session.solver.setOption("rlimit-per", Long.toString(limits.effort() * UNITS_PER_EFFORT));
            session.solver.setOption("tlimit-per", Long.toString(limits.wall().toMillis()));
            session.say(Dialogue.options(script) + script.text());
            String reply = session.say(Dialogue.check(script));
            return Dialogue.outcome(script, reply, session::say, cancellation);
            // A solver that fails knows nothing: the statement is refused as undecided, and another solver may still
            // win.
        } catch (Exception fault) {
            // The binding's native methods throw checked exceptions that they do not declare.
            return Dialogue.FAULT;
        }
    }

    /** Runs commands and returns what they print. */
    private String say(String commands) {
        StringBuilder printed = new StringBuilder();
        synchronized (OBJECTS) {
            // The end of one input forgets the mode, so it is set for each.
            parser.setIncrementalStringInput(InputLanguage.SMT_LIB_2_6, "script");
            parser.appendIncrementalStringInput(commands);
        }
        for (Command command = next(); !command.isNull(); command = next()) {
            try {
                // Outside of the lock: this is where the time goes, and checks have to run at once.
                printed.append(command.invoke(solver, symbols));
            } finally {
                // Else by finalizers, on a thread that does not hold the lock.
                free(command);
            }
        }
        return printed.toString();
    }

    private Command next() {
        synchronized (OBJECTS) {
            return parser.nextCommand();
        }
    }

    private static void free(Command command) {
        synchronized (OBJECTS) {
            command.deletePointer();
        }
    }

    @Override
    public void close() {
        synchronized (OBJECTS) {
            parser.deletePointer();
            symbols.deletePointer();
            solver.deletePointer();
            terms.deletePointer();
        }
    }
}
