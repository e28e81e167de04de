package io.leeway.eppi.internal.config;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Member.Role;
import io.leeway.eppi.internal.console.DidYouMean;
import io.leeway.eppi.internal.index.Digests;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The members of a network, from a file that all of them have. A line is {@code network NAME}, or role, name, host:port
 * and certificate of a member. The order of lines is the order of providers in the index.
 *
 * <p>There is no authority that certifies members: the certificates in this file are trusted, and no others.
 */
public final class Roster {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private static final int MOST_PORT = 65_535;

    private final String network;
    private final List<Member> members;
    private final byte[] digest;

    private Roster(String network, List<Member> members, byte[] digest) {
        this.network = network;
        this.members = List.copyOf(members);
        this.digest = digest;
    }

    /**
     * Reads the file.
     *
     * @throws EppiException with {@link Code#FILE} that says which line is wrong
     */
    public static Roster read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw EppiException.of(Code.FILE, "the roster " + file + " cannot be read", e);
        }
    }

    static Roster parse(String text) {
        var members = new ArrayList<Member>();
        var names = new HashSet<String>();
        String network = "";
        for (String line : text.lines().map(String::strip).toList()) {
            String[] words = line.split("\\s+");
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (words[0].equals("network") && words.length == 2) {
                network = words[1];
            } else {
                members.add(member(words, members));
                check(names.add(words[1]), "there are two members " + words[1]);
            }
        }
        check(NAME.matcher(network).matches(), "the roster has no line \"network NAME\"");
        var roster = new Roster(network, members, Digests.of("eppi-roster", canonical(network, members)));
        check(
                members.stream()
                                .map(each -> each.certificate().getPublicKey())
                                .distinct()
                                .count()
                        == members.size(),
                "two members have the same key");
        check(roster.coordinators().size() >= 2, "there must be two coordinators at least");
        check(!roster.providers().isEmpty(), "there are no providers");
        check(roster.all(Role.INDEX).size() == 1, "there must be one index server");
        check(roster.all(Role.REGISTRAR).size() == 1, "there must be one registrar");
        return roster;
    }

    private static Member member(String[] words, List<Member> before) {
        check(words.length == 4, "a line has " + words.length + " words instead of role, name, host:port, certificate");
        Role role;
        try {
            role = Role.valueOf(words[0].toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw EppiException.of(Code.FILE, "the roster has an unknown role: " + words[0], e);
        }
        check(NAME.matcher(words[1]).matches(), "not a name: " + words[1]);
        int colon = words[2].lastIndexOf(':');
        check(colon > 0 && isPort(words[2].substring(colon + 1)), "not host:port: " + words[2]);
        int number = (int) before.stream().filter(each -> each.role() == role).count();
        int port = Integer.parseInt(words[2].substring(colon + 1));
        return new Member(role, number, words[1], words[2].substring(0, colon), port, certificate(words[3]));
    }

    private static X509Certificate certificate(String base64) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            var factory = CertificateFactory.getInstance("X.509");
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes));
        } catch (CertificateException | IllegalArgumentException e) {
            throw EppiException.of(Code.FILE, "the roster has something that is no certificate", e);
        }
    }

    /**
     * A name that somebody typed.
     *
     * @throws EppiException with {@link Code#CONFIGURATION} if it cannot be one
     */
    public static String checkedName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw EppiException.of(
                    Code.CONFIGURATION, "a name has letters, digits, and . _ - from its second character: " + name);
        }
        return name;
    }

    /**
     * Checks an address that somebody typed.
     *
     * @throws EppiException with {@link Code#CONFIGURATION} if it is none
     */
    public static void checkAddress(String address) {
        int colon = address.lastIndexOf(':');
        if (colon <= 0
                || !isPort(address.substring(colon + 1))
                || address.chars().anyMatch(Character::isWhitespace)) {
            throw EppiException.of(Code.CONFIGURATION, "an address is host:port: " + address);
        }
    }

    private static boolean isPort(String text) {
        return text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= MOST_PORT;
    }

    /** A line for a member. */
    public static String line(Role role, String name, String address, X509Certificate certificate) {
        try {
            return role.name().toLowerCase(Locale.ROOT) + " " + name + " " + address + " "
                    + Base64.getEncoder().encodeToString(certificate.getEncoded());
        } catch (CertificateException e) {
            throw EppiException.of(Code.CONFIGURATION, "the certificate cannot be written", e);
        }
    }

    private static byte[] canonical(String network, List<Member> members) {
        var text = new StringBuilder(network);
        members.forEach(each -> text.append('\n')
                .append(line(each.role(), each.name(), each.host() + ":" + each.port(), each.certificate())));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void check(boolean condition, String fault) {
        if (!condition) {
            throw EppiException.of(Code.FILE, "the roster is not valid: " + fault);
        }
    }

    /** The network's name. */
    public String network() {
        return network;
    }

    /** What all members compare. */
    public byte[] digest() {
        return digest.clone();
    }

    /** Members of a role, by number. */
    public List<Member> all(Role role) {
        return members.stream().filter(each -> each.role() == role).toList();
    }

    /** The coordinators. */
    public List<Member> coordinators() {
        return all(Role.COORDINATOR);
    }

    /** The providers. */
    public List<Member> providers() {
        return all(Role.PROVIDER);
    }

    /** The index server. */
    public Member index() {
        return all(Role.INDEX).get(0);
    }

    /** Names of all members. */
    public List<String> names() {
        return members.stream().map(Member::name).toList();
    }

    /** A member by name. */
    public Member named(String name) {
        return members.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> EppiException.of(
                        Code.CONFIGURATION, "the roster has no member " + name + DidYouMean.hint(name, names())));
    }

    /** The member that has a certificate. */
    public Optional<Member> with(Certificate certificate) {
        return members.stream()
                .filter(each -> each.certificate().equals(certificate))
                .findFirst();
    }

    /** Keys of members. */
    public static List<PublicKey> keys(List<Member> members) {
        return members.stream().map(each -> each.certificate().getPublicKey()).toList();
    }
}
