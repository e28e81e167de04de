package io.leeway.eppi.internal.config;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A member's key, for TLS and for signatures: Ed25519 with a certificate that it signed itself.
 *
 * @param key secret
 * @param certificate as it is in the roster
 */
public record NodeKey(PrivateKey key, X509Certificate certificate) {

    private static final String ALIAS = "eppi";
    private static final long LIMIT_SECONDS = 120;

    /**
     * Reads a key store.
     *
     * @throws EppiException with {@link Code#CONFIGURATION} if it cannot be
     */
    public static NodeKey read(Path file, String password) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password.toCharArray());
            if (store.getKey(ALIAS, password.toCharArray()) instanceof PrivateKey key
                    && store.getCertificate(ALIAS) instanceof X509Certificate certificate) {
                return new NodeKey(key, certificate);
            }
            throw EppiException.of(Code.CONFIGURATION, file + " has no key with the alias " + ALIAS);
        } catch (IOException | GeneralSecurityException e) {
            throw EppiException.of(
                    Code.CONFIGURATION, "the key store " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Makes a key store with the JDK's keytool. The password goes through the environment, which other users do not see. */
    public static NodeKey create(Path file, String name, String password) {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        var builder = new ProcessBuilder(List.of(
                        tool.toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "Ed25519",
                        "-dname",
                        "CN=" + name,
                        "-validity",
                        "3650",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass:env",
                        "EPPI_PASSWORD"))
                .redirectErrorStream(true);
        builder.environment().put("EPPI_PASSWORD", password);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw EppiException.of(
                        Code.CONFIGURATION,
                        "keytool made no key: "
                                + new String(
                                        process.getInputStream().readAllBytes(),
                                        java.nio.charset.StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw EppiException.of(Code.CONFIGURATION, "keytool of the JDK cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
        return read(file, password);
    }

    @Override
    public String toString() {
        return "NodeKey[" + certificate.getSubjectX500Principal() + "]";
    }
}
