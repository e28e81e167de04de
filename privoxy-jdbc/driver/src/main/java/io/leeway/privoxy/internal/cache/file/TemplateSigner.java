package io.leeway.privoxy.internal.cache.file;

import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Signs template files with Ed25519 and verifies them.
 *
 * <p>Ed25519, as every Java platform from 15 on has it: small keys, no parameters to choose wrongly, no random numbers
 * while signing.
 */
public final class TemplateSigner {

    private static final String ALGORITHM = "Ed25519";
    private static final int KEY_ID_BYTES = 8;
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN (PUBLIC|PRIVATE) KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1 KEY-----");

    private TemplateSigner() {}

    /** A new pair of keys. */
    public static KeyPair keys() {
        try {
            return KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no Ed25519", e);
        }
    }

    /**
     * A short name of a public key: the beginning of its hash.
     *
     * <p>To find the key, not to trust it: what counts is that the signature is right under a key that is trusted.
     */
    public static String keyId(PublicKey key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
            return HexFormat.of().formatHex(hash, 0, KEY_ID_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * Signs the text of a template file.
     *
     * @param tables to read the file with; what does not resolve is signed all the same
     * @return the text with the signature at its end
     */
    public static String sign(String text, KeyPair keys, TableLookup tables)
            throws TemplateSyntaxException, InvalidKeyException {
        try {
            // Read first: what is not in the format must not get a signature.
            TemplateFile file = TemplateFile.read(new StringReader(text), tables);
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(keys.getPrivate());
            signature.update(file.signedBytes());
            String value = Base64.getEncoder().encodeToString(signature.sign());
            String end = text.endsWith("\n") ? "" : "\n";
            return text + end + "\nsignature ed25519 key #" + keyId(keys.getPublic()) + "\n  value '" + value + "'\n";
        } catch (InvalidKeyException e) {
            throw e;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("signing in memory failed", e);
        }
    }

    /** Whether one of the file's signatures is by one of these keys and is right. */
    public static boolean isSigned(TemplateFile file, Collection<PublicKey> trusted) {
        for (FileSignature signature : file.signatures()) {
            for (PublicKey key : trusted) {
                if (keyId(key).equals(signature.key()) && isRight(file, signature, key)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isRight(TemplateFile file, FileSignature signature, PublicKey key) {
        try {
            Signature verifier = Signature.getInstance(ALGORITHM);
            verifier.initVerify(key);
            verifier.update(file.signedBytes());
            return verifier.verify(Base64.getDecoder().decode(signature.value()));
            // A damaged signature is none.
        } catch (SignatureException | InvalidKeyException | IllegalArgumentException damaged) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no Ed25519", e);
        }
    }

    /** A key in PEM form. */
    public static String toPem(PublicKey key) {
        return pem("PUBLIC", key.getEncoded());
    }

    /** A key in PEM form. Whoever has it can sign. */
    public static String toPem(PrivateKey key) {
        return pem("PRIVATE", key.getEncoded());
    }

    private static String pem(String kind, byte[] encoded) {
        return "-----BEGIN " + kind + " KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded) + "\n-----END " + kind
                + " KEY-----\n";
    }

    /** Reads a public key in PEM form. */
    public static PublicKey publicKey(String pem) throws InvalidKeyException {
        try {
            return KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(decode(pem, "PUBLIC")));
        } catch (GeneralSecurityException e) {
            throw new InvalidKeyException("not an Ed25519 public key", e);
        }
    }

    /** Reads a private key in PEM form. */
    public static PrivateKey privateKey(String pem) throws InvalidKeyException {
        try {
            return KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(decode(pem, "PRIVATE")));
        } catch (GeneralSecurityException e) {
            throw new InvalidKeyException("not an Ed25519 private key", e);
        }
    }

    private static byte[] decode(String pem, String kind) throws InvalidKeyException {
        Matcher matcher = PEM.matcher(pem);
        // A private key where a public one is expected is a mistake to be told: it would lie where many can read
        // it.
        if (!matcher.find() || !matcher.group(1).equals(kind)) {
            throw new InvalidKeyException("no BEGIN " + kind + " KEY in PEM form");
        }
        try {
            return Base64.getMimeDecoder().decode(matcher.group(2));
        } catch (IllegalArgumentException damaged) {
            throw new InvalidKeyException("the key is damaged", damaged);
        }
    }
}
