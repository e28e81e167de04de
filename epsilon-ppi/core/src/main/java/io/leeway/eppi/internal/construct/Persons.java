package io.leeway.eppi.internal.construct;

import io.leeway.eppi.Token;
import io.leeway.eppi.Wish;
import io.leeway.eppi.internal.policy.EpsilonClasses;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * The persons of a construction in the order of their tokens, with the class of each one's wish. All nodes make the same
 * out of the same register.
 */
public final class Persons {

    private final Token[] tokens;
    private final double[] classes;

    private Persons(Token[] tokens, double[] classes) {
        this.tokens = tokens;
        this.classes = classes;
    }

    /**
     * Persons with their wishes; if one has several, the highest counts.
     *
     * @param leastMembers of a class of wishes between 0 and 1
     */
    public static Persons of(Collection<Wish> wishes, int leastMembers) {
        var highest = new TreeMap<Token, Double>();
        wishes.forEach(wish -> highest.merge(wish.token(), wish.epsilon(), Math::max));
        Token[] tokens = highest.keySet().toArray(Token[]::new);
        double[] given =
                highest.values().stream().mapToDouble(Double::doubleValue).toArray();
        return new Persons(tokens, EpsilonClasses.of(given, leastMembers));
    }

    /** Persons with classes that are used as they are. */
    public static Persons ofClasses(Map<Token, Double> classes) {
        var sorted = new TreeMap<>(classes);
        return new Persons(
                sorted.keySet().toArray(Token[]::new),
                sorted.values().stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** How many. */
    public int size() {
        return tokens.length;
    }

    /** A person's token. */
    public Token token(int person) {
        return tokens[person];
    }

    /** The wish that stands for a person's class. */
    public double epsilon(int person) {
        return classes[person];
    }

    /** The number of a person, or a negative number. */
    public int find(Token token) {
        return Arrays.binarySearch(tokens, token);
    }

    /** All tokens, 16 bytes each. */
    public byte[] encoded() {
        byte[] bytes = new byte[Math.multiplyExact(tokens.length, Token.BYTES)];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i].write(bytes, i * Token.BYTES);
        }
        return bytes;
    }
}
