package io.leeway.eppi.internal.mpc;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;

/** Runs a program at all parties, a thread each. */
final class Parties {

    /** A safe prime of 64 bits: nothing that protects, but the same steps in no time. */
    static final OtGroup TOY = new OtGroup(new BigInteger("18446744073709543127"), 60);

    interface Program<T> {
        T run(Engine engine) throws Exception;
    }

    /** A program that looks at links too. */
    interface Watched<T> {
        T run(Engine engine, Links links) throws Exception;
    }

    private Parties() {}

    static <T> List<T> run(Profile profile, int parties, RandomGenerator random, Program<T> program) throws Exception {
        return run(
                profile,
                parties,
                random,
                (engine, links) -> program.run(engine),
                -1,
                new ArrayList<>(),
                new ArrayList<>());
    }

    /** The same, with all that one party receives and sends written down, in its order. */
    static <T> List<T> run(
            Profile profile,
            int parties,
            RandomGenerator random,
            Watched<T> program,
            int watched,
            List<byte[]> received,
            List<byte[]> sent)
            throws Exception {
        Links[] links = LocalLinks.all(parties);
        if (watched >= 0) {
            links[watched] = links[watched].watched(received::add, sent::add);
        }
        var threads = Executors.newFixedThreadPool(parties);
        try {
            var futures = new ArrayList<Future<T>>();
            for (Links own : links) {
                byte[] seed = new byte[16];
                random.nextBytes(seed);
                futures.add(threads.submit(() -> program.run(SecureSelection.engine(profile, own, seed, TOY), own)));
            }
            var results = new ArrayList<T>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
