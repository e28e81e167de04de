package io.leeway.eppi.node;

import io.leeway.eppi.Policy;
import io.leeway.eppi.internal.mpc.Profile;
import java.time.Duration;
import java.util.List;

/**
 * Every option, once. Options stand in a properties file or on the command line under their keys, which are API.
 *
 * @since 0.1
 */
public final class EppiOptions {

    /** The prefix of all keys. */
    public static final String PREFIX = "eppi.";

    /** Who this node is. */
    public static final EppiOption<String> NAME =
            EppiOption.text("eppi.name", "", "a name in the roster", "Which member of the network this node is.");

    /** The roster. */
    public static final EppiOption<String> ROSTER = EppiOption.text(
            "eppi.roster", "", "path", "The members of the network with addresses and certificates; the same for all.");

    /** The key store. */
    public static final EppiOption<String> KEY = EppiOption.text(
            "eppi.key",
            "",
            "path of a PKCS #12 key store",
            "Own Ed25519 key with its certificate, for TLS and signatures.");

    /** Its password. */
    public static final EppiOption<String> KEY_PASSWORD =
            EppiOption.secret("eppi.key.password", "Password of the key store.");

    /** Addresses that are not fixed. */
    public static final EppiOption<String> ADDRESSES = EppiOption.text(
            "eppi.addresses",
            "",
            "path of a directory",
            "Where members on one machine that have port 0 in the roster say which one they got.");

    /** The limit of waits. */
    public static final EppiOption<Duration> TIMEOUT = EppiOption.duration(
            "eppi.timeout",
            "60s",
            "100ms",
            "1h",
            "How long a member may take for one step of a construction or a search.");

    /** The limit of frames. */
    public static final EppiOption<Long> FRAME_LIMIT =
            EppiOption.size("eppi.frame.limit", "16MB", "64KB", "255MB", "Largest message that is sent or taken.");

    /** The limit of connections. */
    public static final EppiOption<Integer> CONNECTIONS =
            EppiOption.number("eppi.connections", 1_024, 8, 100_000, "Connections that a node has at most.");

    /** The HTTP address. */
    public static final EppiOption<String> HTTP = EppiOption.formed(
            "eppi.http",
            "host:port, or empty for none",
            "Where a node answers HTTP: the API of the index server, the pages of a provider, state and metrics of all."
                    + " Only the index server may listen beyond this machine.",
            EppiOption::isAddress);

    /** Where a node keeps what it must not lose. */
    public static final EppiOption<String> STATE = EppiOption.text(
            "eppi.state",
            "",
            "path of a directory",
            "What the node must not lose: a provider's noise and what it published, coordinators' coins, the index.");

    /** Whether to begin anew. */
    public static final EppiOption<Boolean> STATE_FRESH = EppiOption.flag(
            "eppi.state.fresh",
            false,
            "Whether a provider may take part without the state of earlier constructions. What it published before can"
                    + " then be told from noise.");

    /** The register of persons. */
    public static final EppiOption<String> REGISTER = EppiOption.text(
            "eppi.register", "", "path", "A coordinator's copy of the register: pseudonyms and wishes, signed.");

    /** The policy. */
    public static final EppiOption<Policy> POLICY =
            EppiOption.policy("eppi.policy", "exact(0.9)", "How much noise a wish gets; the same at all coordinators.");

    /** The profile. */
    public static final EppiOption<Profile> PROFILE = EppiOption.choice(
            "eppi.profile",
            Profile.class,
            Profile.HONEST_MAJORITY,
            "Against how many coordinators the secure computation holds: one of three, or all but one of any number.");

    /** The size of classes. */
    public static final EppiOption<Integer> CLASS_SIZE = EppiOption.number(
            "eppi.classes.least",
            20,
            1,
            1_000_000,
            "Fewest persons of a class of wishes; wishes of smaller classes are raised. The same at all coordinators.");

    /** What frequencies hide. */
    public static final EppiOption<Integer> HIDDEN_BITS = EppiOption.number(
            "eppi.frequencies.hidden",
            0,
            0,
            16,
            "How many of the lowest bits of frequencies nobody sees; each about doubles the noise of rare persons. The"
                    + " same at all coordinators.");

    /** The decoys. */
    public static final EppiOption<Integer> DECOYS = EppiOption.number(
            "eppi.audit.decoys",
            16,
            0,
            10_000,
            "Persons that do not exist and that each coordinator adds to a construction: who claims one is found.");

    /** How often to try. */
    public static final EppiOption<Integer> ATTEMPTS = EppiOption.number(
            "eppi.attempts", 3, 1, 100, "How often a construction is begun anew when a member drops out.");

    /** How often to construct. */
    public static final EppiOption<Duration> EVERY = EppiOption.duration(
            "eppi.construct.every",
            "0s",
            "0s",
            "10000h",
            "How often the first coordinator constructs; 0s when told to.");

    /** The key of pseudonyms. */
    public static final EppiOption<String> NETWORK_KEY = EppiOption.text(
            "eppi.network.key",
            "",
            "path",
            "File with the secret of which pseudonyms are made; providers and searchers have it, coordinators and the"
                    + " index server must not.");

    /** The database. */
    public static final EppiOption<String> DATABASE_URL = EppiOption.formed(
            "eppi.database.url", "JDBC URL", "The provider's database.", text -> text.startsWith("jdbc:"));

    /** Its user. */
    public static final EppiOption<String> DATABASE_USER =
            EppiOption.text("eppi.database.user", "", "", "A user who may read what the queries read.");

    /** Its password. */
    public static final EppiOption<String> DATABASE_PASSWORD =
            EppiOption.secret("eppi.database.password", "The user's password.");

    /** Members. */
    public static final EppiOption<String> DATABASE_MEMBERS = EppiOption.text(
            "eppi.database.members",
            "",
            "SQL",
            "Query whose first column has the identities of all persons with records.");

    /** Records. */
    public static final EppiOption<String> DATABASE_RECORDS = EppiOption.formed(
            "eppi.database.records",
            "SQL with one ?",
            "Query for the records of one identity, for searchers who are allowed to see them.",
            text -> text.contains("?"));

    /** Its limit. */
    public static final EppiOption<Duration> DATABASE_TIMEOUT =
            EppiOption.duration("eppi.database.timeout", "30s", "1s", "1h", "How long a query may take.");

    /** Age of what is known of the database. */
    public static final EppiOption<Duration> DATABASE_REFRESH = EppiOption.duration(
            "eppi.database.refresh", "60s", "0s", "24h", "How old the list of identities may be that searches use.");

    /** Who may search. */
    public static final EppiOption<List<String>> ALLOW =
            EppiOption.names("eppi.access.allow", "Which members may see records of this provider; nobody if empty.");

    /** How often. */
    public static final EppiOption<Integer> RATE =
            EppiOption.number("eppi.access.rate", 60, 1, 1_000_000, "Searches that one member may make in a minute.");

    /** The log. */
    public static final EppiOption<String> ACCESS_LOG = EppiOption.text(
            "eppi.access.log",
            "",
            "path",
            "File to which every search is written, each line with the digest of the one before; empty is access.log in"
                    + " the state directory.");

    /** Rows. */
    public static final EppiOption<Integer> ROWS =
            EppiOption.number("eppi.access.rows", 1_000, 1, 100_000, "Records that one search returns at most.");

    /** The index server. */
    public static final EppiOption<String> INDEX = EppiOption.formed(
            "eppi.index", "http URL", "Where queries go: the HTTP address of the index server.", EppiOption::isHttpUrl);

    private static final List<EppiOption<?>> ALL = List.of(
            NAME,
            ROSTER,
            KEY,
            KEY_PASSWORD,
            ADDRESSES,
            TIMEOUT,
            FRAME_LIMIT,
            CONNECTIONS,
            HTTP,
            STATE,
            STATE_FRESH,
            REGISTER,
            POLICY,
            PROFILE,
            CLASS_SIZE,
            HIDDEN_BITS,
            DECOYS,
            ATTEMPTS,
            EVERY,
            NETWORK_KEY,
            DATABASE_URL,
            DATABASE_USER,
            DATABASE_PASSWORD,
            DATABASE_MEMBERS,
            DATABASE_RECORDS,
            DATABASE_TIMEOUT,
            DATABASE_REFRESH,
            ALLOW,
            RATE,
            ACCESS_LOG,
            ROWS,
            INDEX);

    private EppiOptions() {}

    /** All options, in the order of the documentation. */
    public static List<EppiOption<?>> all() {
        return ALL;
    }
}
