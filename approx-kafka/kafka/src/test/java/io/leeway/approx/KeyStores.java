package io.leeway.approx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A gateway's key store and a shim's trust store, made by the JDK's keytool. */
public final class KeyStores {

    static final String PASSWORD = "changeit";
    static final String TOKEN = "a token of enough length";

    private KeyStores() {}

    /** Options of a shim. */
    public static Map<String, String> shim(Path directory) {
        return Map.of(
                "approx.trust", directory.resolve("trust.p12").toString(),
                "approx.trust.password", PASSWORD,
                "approx.token", TOKEN);
    }

    /** Options of a gateway. */
    public static Map<String, String> gateway(Path directory) {
        return Map.of(
                "approx.keystore", directory.resolve("keys.p12").toString(),
                "approx.keystore.password", PASSWORD,
                "approx.token", TOKEN);
    }

    /** Makes the stores. */
    public static void make(Path directory, String names) throws IOException, InterruptedException {
        Path keys = directory.resolve("keys.p12");
        Path certificate = directory.resolve("certificate.pem");
        run(
                directory,
                "-genkeypair",
                "-alias",
                "gateway",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "365",
                "-dname",
                "CN=approx gateway",
                "-ext",
                "san=" + names,
                "-keystore",
                keys.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD);
        run(
                directory,
                "-exportcert",
                "-alias",
                "gateway",
                "-keystore",
                keys.toString(),
                "-storepass",
                PASSWORD,
                "-rfc",
                "-file",
                certificate.toString());
        run(
                directory,
                "-importcert",
                "-noprompt",
                "-alias",
                "gateway",
                "-file",
                certificate.toString(),
                "-keystore",
                directory.resolve("trust.p12").toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD);
    }

    private static void run(Path directory, String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Path log = Files.createTempFile(directory, "keytool-", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException(Files.readString(log));
        }
    }
}
