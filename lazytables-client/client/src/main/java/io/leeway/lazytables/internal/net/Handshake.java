package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;

/**
 * What comes before messages. The client speaks first, so that a stranger learns nothing: preamble; preamble and
 * CHALLENGE; PROOF; WELCOME. Whoever has a token wants proof that the other side has it too.
 */
sealed interface Handshake {

    /*
     * What each side may learn when. A server sends nothing before it has seen the client's preamble, so that a scan of
     * ports does not tell what listens there. A client's token never goes over the wire, only proofs under it, each
     * over both sides' random numbers: heard by somebody, it is of no use for another connection. The client proves
     * first, then the server; a client that gets no right proof sends nothing of the program's, as it may talk to
     * somebody in between.
     *
     * A side that has a token refuses one that has none, whichever it is: to go on without would let who is in between
     * choose that.
     *
     * Each frame has one right length at its place; anything else ends the connection. The time limit and the limit of
     * bytes are Opening's and FrameReader's.
     */

    /** The way is free: TCP and TLS stand. */
    void begin(Opening opening);

    /** The other side's preamble is right. */
    void greeted(Opening opening);

    /** A frame of the handshake has come. */
    void frame(Opening opening, int kind, byte[] bytes, int offset, int length);

    /** A client's part. */
    final class OfClient implements Handshake {

        private final NetSettings settings;
        private final byte[] own = Proofs.nonce();
        private byte[] theirs = {};

        OfClient(NetSettings settings) {
            this.settings = settings;
        }

        @Override
        public void begin(Opening opening) {
            opening.greet();
        }

        @Override
        public void greeted(Opening opening) {}

        @Override
        public void frame(Opening opening, int kind, byte[] bytes, int offset, int length) {
            // Once: a second challenge would have us prove for a number of somebody else's choice.
            if (kind == Kind.CHALLENGE && theirs.length == 0 && length == 1 + Proofs.NONCE) {
                challenged(opening, bytes, offset);
            } else if (kind == Kind.WELCOME && theirs.length > 0) {
                welcomed(opening, bytes, offset, length);
            } else {
                throw unexpected(opening, kind, length);
            }
        }

        private void challenged(Opening opening, byte[] bytes, int offset) {
            boolean asks = bytes[offset] != 0;
            boolean has = !settings.token().isEmpty();
            if (asks != has) {
                throw Faults.of(
                        Code.TOKEN,
                        opening
                                + (asks
                                        ? " asks for a token, and none is given here"
                                        : " asks for no token, although one is given here"));
            }
            // Copied, as the bytes are ours only until this returns.
            theirs = java.util.Arrays.copyOfRange(bytes, offset + 1, offset + 1 + Proofs.NONCE);
            // Without a token a proof of no length, so that both sides have one layout.
            byte[] proof = has ? Proofs.ofClient(settings.token(), theirs, own) : new byte[0];
            byte[] answer = new byte[4 + Proofs.NONCE + proof.length];
            Wire.putInt(answer, 0, settings.frameLimit());
            System.arraycopy(own, 0, answer, 4, Proofs.NONCE);
            System.arraycopy(proof, 0, answer, 4 + Proofs.NONCE, proof.length);
            opening.send(Kind.PROOF, answer);
        }

        private void welcomed(Opening opening, byte[] bytes, int offset, int length) {
            boolean has = !settings.token().isEmpty();
            // A server that has let us in without a proof of its own may be anybody.
            if (length != (has ? 4 + Proofs.PROOF : 4)) {
                throw unexpected(opening, Kind.WELCOME, length);
            }
            // Whoever answers may know nothing of the token, and have let us in all the same.
            if (has && !Proofs.equal(Proofs.ofServer(settings.token(), theirs, own), bytes, offset + 4)) {
                throw Faults.of(Code.TOKEN, opening + " does not know the token that is given here");
            }
            opening.welcome(Wire.getInt(bytes, offset));
        }
    }

    /** A server's part. */
    final class OfServer implements Handshake {

        private final NetSettings settings;
        private final byte[] own = Proofs.nonce();

        OfServer(NetSettings settings) {
            this.settings = settings;
        }

        @Override
        public void begin(Opening opening) {}

        @Override
        public void greeted(Opening opening) {
            opening.greet();
            byte[] challenge = new byte[1 + Proofs.NONCE];
            // Whether a proof is wanted: a client without a token can say so in words that help.
            challenge[0] = (byte) (settings.token().isEmpty() ? 0 : 1);
            System.arraycopy(own, 0, challenge, 1, Proofs.NONCE);
            opening.send(Kind.CHALLENGE, challenge);
        }

        @Override
        public void frame(Opening opening, int kind, byte[] bytes, int offset, int length) {
            boolean asks = !settings.token().isEmpty();
            int nonce = offset + 4;
            int most = 4 + Proofs.NONCE + (asks ? Proofs.PROOF : 0);
            // Lengths first: what follows reads at fixed places.
            if (kind != Kind.PROOF || length < 4 + Proofs.NONCE || length > most) {
                throw unexpected(opening, kind, length);
            }
            byte[] theirs = java.util.Arrays.copyOfRange(bytes, nonce, nonce + Proofs.NONCE);
            if (asks
                    && (length < most
                            || !Proofs.equal(
                                    Proofs.ofClient(settings.token(), own, theirs), bytes, nonce + Proofs.NONCE))) {
                throw Faults.of(Code.TOKEN, "the token is missing or not that of this server");
            }
            // Behind the proof: a stranger does not hear whether there is room, and takes nobody's place.
            opening.admit();
            // The client is to know that this side has the token as well.
            byte[] proof = asks ? Proofs.ofServer(settings.token(), own, theirs) : new byte[0];
            byte[] answer = new byte[4 + proof.length];
            Wire.putInt(answer, 0, settings.frameLimit());
            System.arraycopy(proof, 0, answer, 4, proof.length);
            opening.send(Kind.WELCOME, answer);
            // Behind our own frame: from here on messages may be sent, and must come behind it.
            opening.welcome(Wire.getInt(bytes, offset));
        }
    }

    private static LazyTablesException unexpected(Opening opening, int kind, int length) {
        return Faults.of(
                Code.MALFORMED,
                opening + " sent a frame of kind " + kind + " with " + length
                        + " bytes where the handshake has none such");
    }
}
