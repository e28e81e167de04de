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

    private Parties() {}

    static <T> List<T> run(Profile profile, int parties, RandomGenerator random, Program<T> program) throws Exception {
        Links[] links = LocalLinks.all(parties);
        var threads = Executors.newFixedThreadPool(parties);
        try {
            var futures = new ArrayList<Future<T>>();
            for (Links own : links) {
                byte[] seed = new byte[16];
                random.nextBytes(seed);
                futures.add(threads.submit(() -> program.run(SecureSelection.engine(profile, own, seed, TOY))));
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
