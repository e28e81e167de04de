package io.leeway.eppi;

import org.jspecify.annotations.Nullable;

/**
 * Says what went wrong and what to do. A construction that ends with one has published nothing.
 *
 * @since 0.1
 */
public final class EppiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What kinds of faults there are. The numbers are API: they do not change their meaning between releases. */
    public enum Code {
        /** Options are unknown, contradict each other or are out of range. */
        CONFIGURATION(1001, "The options are not valid.", "Correct every option that the message lists."),
        /** A wish outside of 0 to 1. */
        EPSILON(1002, "A wish for privacy is not a number from 0 to 1.", "Give an epsilon from 0 to 1."),
        /** A file of the network cannot be read or is not what it says it is. */
        FILE(1003, "A file of the network cannot be read, or was changed.", "Restore the file that the message names."),
        /** The register of persons is unsigned, changed or another one than the network's. */
        REGISTER(1004, "The register of persons is not the signed one of this network.", "Fetch the register anew."),
        /** A text that can be nobody's identity. */
        IDENTITY(1005, "The identity has neither letters nor digits.", "Give the identity as providers have it."),

        /** A connection cannot be made. */
        UNREACHABLE(
                1101, "The other side cannot be reached.", "Check that it runs and that the roster has its address."),
        /** The certificate is not the one in the roster. */
        CERTIFICATE(
                1102,
                "The other side's certificate is not that of the member of the network.",
                "Check the certificate in the roster, and who answers at the address."),
        /** Another version of the protocol. */
        VERSION(1103, "The other side speaks another version.", "Run the same release on both sides."),
        /** Another roster. */
        ROSTER(1104, "The two sides have different rosters.", "Give all members the same roster file."),
        /** What arrives does not follow the protocol. */
        MALFORMED(1105, "A message does not follow the protocol.", "See the member that the message names."),
        /** A message belongs to another construction. */
        REPLAYED(1106, "A message belongs to another construction, or came before.", "See the member that is named."),
        /** Nothing came within the limit. */
        TIMEOUT(1107, "A member did not answer in time.", "Check the member that is named, or raise eppi.timeout."),
        /** The other side ended. */
        GONE(1108, "A member ended or dropped out.", "Start it again; the construction is repeated."),
        /** A frame above the limit. */
        FRAME_TOO_LARGE(1109, "A message is larger than the limit.", "Raise eppi.frame.limit on both sides."),

        /** Coordinators are missing. */
        COORDINATORS(
                1201,
                "There are fewer coordinators than the roster has.",
                "Start the missing ones: sums can be opened by all of them together only."),
        /** Providers are missing. */
        PROVIDERS(1202, "Providers of the roster are missing.", "Start them, or give the network a new roster."),
        /** Shares do not fit what was committed to. */
        COMMITMENT(1203, "Shares differ from what the provider committed to.", "Look into that provider."),
        /** An audit found memberships that cannot be. */
        AUDIT(
                1204,
                "A provider claims records of persons that do not exist.",
                "Exclude that provider or cure its data."),
        /** Coordinators say different things. */
        DISAGREEMENT(1205, "Coordinators said different things.", "At least one of them is faulty; look at all."),
        /** A construction was given up. */
        ABORTED(1206, "The construction was given up; nothing was published.", "Cure the cause and construct again."),
        /** An older epoch. */
        EPOCH(
                1207,
                "The epoch is not a later one.",
                "Restore the state of the first coordinator, or write the last epoch to the file epoch in it."),

        /** The provider's database does not answer. */
        DATABASE(1301, "The provider's database does not answer.", "Start it, or correct the eppi.database options."),
        /** The provider's state is lost. */
        STATE(
                1302,
                "What the provider published before cannot be read.",
                "Restore its state directory: without it a new index reveals which entries were noise."),

        /** No such person. */
        UNKNOWN_PERSON(1401, "The person is not in the index.", "Enrol the person; the next index has it."),
        /** A signature is wrong. */
        SIGNATURE(1402, "A signature is wrong or missing.", "Do not use this index; fetch it anew."),
        /** There is no index yet. */
        NO_INDEX(1403, "There is no index yet.", "Run a construction."),
        /** Access was refused. */
        DENIED(1404, "The provider refuses access.", "Ask the provider for access."),
        /** Too many searches. */
        RATE(1405, "Too many searches.", "Wait; the provider limits how often it is asked."),

        /** A name or address is taken. */
        LISTEN(1501, "The node cannot listen at its address.", "Free the address or give another."),
        /** A fault of this software. */
        INTERNAL(1901, "A fault of epsilon-PPI itself.", "Report it with the cause.");

        private final int number;
        private final String meaning;
        private final String remedy;

        Code(int number, String meaning, String remedy) {
            this.number = number;
            this.meaning = meaning;
            this.remedy = remedy;
        }

        /** The stable code: {@code EPPI-1201}. */
        public String id() {
            return "EPPI-" + number;
        }

        /** What happened, in one sentence. */
        public String meaning() {
            return meaning;
        }

        /** What to do, in one sentence. */
        public String remedy() {
            return remedy;
        }
    }

    private final Code code;
    private final String detail;

    private EppiException(Code code, String detail, @Nullable Throwable cause) {
        super(code.id() + ": " + detail + ". " + code.remedy(), cause);
        this.code = code;
        this.detail = detail;
    }

    /** An error with what happened this time. */
    public static EppiException of(Code code, String detail) {
        return new EppiException(code, detail, null);
    }

    /** An error with what happened this time and why. */
    public static EppiException of(Code code, String detail, Throwable cause) {
        return new EppiException(code, detail, cause);
    }

    /** The kind of fault. */
    public Code code() {
        return code;
    }

    /** What happened this time, without code and remedy. */
    public String detail() {
        return detail;
    }
}
