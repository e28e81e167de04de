package io.leeway.eppi.internal.config;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.Wish;
import io.leeway.eppi.internal.index.Digests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * The register of persons: who wants to be found, and with how much privacy. It says nothing about where records are, and
 * is signed by the registrar, to whom persons go with their wish, so that no provider has to tell whose wishes it knows.
 *
 * <p>The file has the network's name, a line with pseudonym and wish for each person, and the signature.
 */
public final class Register {

    private final String network;
    private final Map<Token, Double> wishes;

    private Register(String network, Map<Token, Double> wishes) {
        this.network = network;
        this.wishes = new TreeMap<>(wishes);
    }

    /** A register without persons. */
    public static Register empty(String network) {
        return new Register(network, Map.of());
    }

    /** The same with a wish more; a later wish of a person replaces an earlier one. */
    public Register with(Wish wish) {
        var more = new TreeMap<>(wishes);
        more.put(wish.token(), wish.epsilon());
        return new Register(network, more);
    }

    /** The same with many wishes more. */
    public Register with(Collection<Wish> all) {
        var more = new TreeMap<>(wishes);
        all.forEach(wish -> more.put(wish.token(), wish.epsilon()));
        return new Register(network, more);
    }

    /**
     * The same without a person.
     *
     * @throws EppiException with {@link Code#UNKNOWN_PERSON} if that person is not in it
     */
    public Register without(Token person) {
        var fewer = new TreeMap<>(wishes);
        if (fewer.remove(person) == null) {
            throw EppiException.of(Code.UNKNOWN_PERSON, "the register has no such person");
        }
        return new Register(network, fewer);
    }

    /** All wishes. */
    public Collection<Wish> wishes() {
        return wishes.entrySet().stream()
                .map(entry -> new Wish(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** What coordinators compare. */
    public byte[] digest() {
        return Digests.of("eppi-register", text().getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the file, signed. */
    public void write(Path file, PrivateKey key) {
        try {
            String signature = Base64.getEncoder().encodeToString(Digests.sign(key, digest()));
            Path part = file.resolveSibling(file.getFileName() + ".part");
            Files.writeString(part, text() + "signature " + signature + "\n");
            Files.move(part, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw EppiException.of(Code.FILE, "the register " + file + " cannot be written", e);
        }
    }

    /**
     * Reads the file.
     *
     * @throws EppiException with {@link Code#REGISTER} if the signature is wrong
     */
    public static Register read(Path file, String network, PublicKey registrar) {
        try {
            var wishes = new TreeMap<Token, Double>();
            String signature = "";
            String name = "";
            for (String line : Files.readAllLines(file)) {
                String[] words = line.split(" ");
                check(words.length == 2, "a line is not of two words");
                switch (words[0]) {
                    case "network" -> name = words[1];
                    case "signature" -> signature = words[1];
                    default ->
                        wishes.put(Token.parse(words[0]), new Wish(Token.parse(words[0]), number(words[1])).epsilon());
                }
            }
            check(name.equals(network), "it is of the network " + name);
            var register = new Register(network, wishes);
            byte[] given = Base64.getDecoder().decode(signature);
            check(Digests.isSigned(registrar, register.digest(), given), "the registrar's signature is wrong");
            return register;
        } catch (IOException e) {
            throw EppiException.of(Code.FILE, "the register " + file + " cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw EppiException.of(Code.REGISTER, "the register " + file + " is not valid: " + e.getMessage(), e);
        }
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw EppiException.of(Code.EPSILON, "epsilon is " + text, e);
        }
    }

    private String text() {
        var text = new StringBuilder("network ").append(network).append('\n');
        wishes.forEach(
                (token, wish) -> text.append(token).append(' ').append(wish).append('\n'));
        return text.toString();
    }

    private static void check(boolean condition, String fault) {
        if (!condition) {
            throw new IllegalArgumentException(fault);
        }
    }
}
