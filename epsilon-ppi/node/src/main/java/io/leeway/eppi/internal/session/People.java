package io.leeway.eppi.internal.session;

import io.leeway.eppi.Token;
import io.leeway.eppi.internal.construct.Persons;
import io.leeway.eppi.internal.index.Digests;
import io.leeway.eppi.internal.net.Reading;
import io.leeway.eppi.internal.net.Writing;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Persons with their classes as they are sent. */
public final class People {

    private static final int BYTES_EACH = Token.BYTES + Double.BYTES;

    private People() {}

    /** The message. */
    public static byte[] written(Persons persons) {
        var out = new Writing().number(persons.size());
        for (int i = 0; i < persons.size(); i++) {
            Token token = persons.token(i);
            out.longNumber(token.high()).longNumber(token.low()).real(persons.epsilon(i));
        }
        return out.done();
    }

    /** Reads the message. */
    public static Persons read(Reading in) {
        int count = in.count(BYTES_EACH);
        Map<Token, Double> classes = new HashMap<>();
        for (int i = 0; i < count; i++) {
            var token = new Token(in.longNumber(), in.longNumber());
            double epsilon = in.real();
            if (!(epsilon >= 0 && epsilon <= 1) || classes.put(token, epsilon) != null) {
                throw in.malformed("has a person twice, or with an epsilon of " + epsilon);
            }
        }
        in.end();
        return Persons.ofClasses(classes);
    }

    /** What nodes compare. */
    public static byte[] digest(byte[] written) {
        return Digests.of("eppi-persons", written);
    }

    /** Persons that do not exist, with the wishes of some that do: nobody can tell them from others by looking. */
    static Map<Token, Double> decoys(Persons real, int count, SecureRandom random) {
        List<Double> wishes = new ArrayList<>();
        for (int i = 0; i < real.size(); i++) {
            if (real.epsilon(i) > 0 && real.epsilon(i) < 1) {
                wishes.add(real.epsilon(i));
            }
        }
        Map<Token, Double> decoys = new HashMap<>();
        while (decoys.size() < count && !wishes.isEmpty()) {
            decoys.put(new Token(random.nextLong(), random.nextLong()), wishes.get(random.nextInt(wishes.size())));
        }
        return decoys;
    }

    /** Persons and decoys in one order. */
    static Persons merged(Persons real, Map<Token, Double> decoys) {
        Map<Token, Double> all = new HashMap<>(decoys);
        for (int i = 0; i < real.size(); i++) {
            all.put(real.token(i), real.epsilon(i));
        }
        return Persons.ofClasses(all);
    }
}
