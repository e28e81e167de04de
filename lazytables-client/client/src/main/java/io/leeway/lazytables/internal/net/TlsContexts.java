package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOption;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes TLS contexts of PEM files or JDK keystores; the JDK's own TLS, 1.2 and 1.3. */
final class TlsContexts {

    /*
     * The JDK's TLS, since that is there wherever Java is: no native library for each system. Older versions than 1.2
     * are not offered, whatever the JDK would allow.
     *
     * A client always checks that the certificate is of the host that it means (endpoint identification): without that,
     * anybody with a certificate of the same authority could be in between. Without a file of whom to trust it trusts
     * whom the JDK trusts. A server asks for a client's certificate when it was told whom to trust, and then lets in
     * nobody without; that is beside the token, not instead of it.
     *
     * Files are read once, when a transport is made: what is wrong with them is told at the start, with the option's
     * name. A new certificate needs a new start.
     */

    /** Those that are not known to be broken, the better one first. */
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private TlsContexts() {}

    /** For connections to servers: checks whom it talks to, and says who it is where that is set. */
    static SslContext client(LazyTablesConfig config) {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
            trust(config, builder);
            // Only for servers that ask for it.
            if (!config.get(LazyTablesOptions.TLS_CERTIFICATE).isEmpty()) {
                if (isStore(config.get(LazyTablesOptions.TLS_CERTIFICATE))) {
                    builder.keyManager(keys(config));
                } else {
                    builder.keyManager(certificate(config), key(config), password(config));
                }
            }
            return build(builder);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw fault(e);
        }
    }

    /** For connections of clients: has a certificate in each case, which the configuration was checked for. */
    static SslContext server(LazyTablesConfig config) {
        try {
            SslContextBuilder builder = isStore(config.get(LazyTablesOptions.TLS_CERTIFICATE))
                    ? SslContextBuilder.forServer(keys(config))
                    : SslContextBuilder.forServer(certificate(config), key(config), password(config));
            if (!config.get(LazyTablesOptions.TLS_TRUST).isEmpty()) {
                trust(config, builder);
                // Whoever says whom to trust means nobody else.
                builder.clientAuth(ClientAuth.REQUIRE);
            }
            return build(builder);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw fault(e);
        }
    }

    private static SslContext build(SslContextBuilder builder) throws IOException {
        // Said, though it is Netty's choice where there is no native one: another jar in the class path must not change
        // it.
        return builder.sslProvider(SslProvider.JDK).protocols(PROTOCOLS).build();
    }

    /** Sets whose certificates are believed; where no file is named it stays with those that the JDK believes. */
    private static void trust(LazyTablesConfig config, SslContextBuilder builder)
            throws IOException, GeneralSecurityException {
        String file = config.get(LazyTablesOptions.TLS_TRUST);
        if (isStore(file)) {
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store(config, LazyTablesOptions.TLS_TRUST, config.get(LazyTablesOptions.TLS_TRUST_PASSWORD)));
            builder.trustManager(factory);
        } else if (!file.isEmpty()) {
            builder.trustManager(readable(config, LazyTablesOptions.TLS_TRUST));
        }
    }

    /** Of a keystore: the password of the store is that of the key, too, as tools make them. */
    private static KeyManagerFactory keys(LazyTablesConfig config) throws IOException, GeneralSecurityException {
        String password = config.get(LazyTablesOptions.TLS_PASSWORD);
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store(config, LazyTablesOptions.TLS_CERTIFICATE, password), password.toCharArray());
        return factory;
    }

    /** Of whatever kind the file is, which the JDK finds out. */
    private static KeyStore store(LazyTablesConfig config, LazyTablesOption<String> option, String password)
            throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(readable(config, option), password.toCharArray());
    }

    private static File certificate(LazyTablesConfig config) throws IOException {
        return readable(config, LazyTablesOptions.TLS_CERTIFICATE);
    }

    private static File key(LazyTablesConfig config) throws IOException {
        return readable(config, LazyTablesOptions.TLS_KEY);
    }

    private static @Nullable String password(LazyTablesConfig config) {
        String password = config.get(LazyTablesOptions.TLS_PASSWORD);
        // Null is what says that a key is not encrypted; an empty password would be one.
        return password.isEmpty() ? null : password;
    }

    /**
     * Whether a file is a keystore: by its name, as the JDK tells the kinds of stores apart by themselves, but not
     * stores from PEM.
     */
    private static boolean isStore(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        return name.endsWith(".p12") || name.endsWith(".pfx") || name.endsWith(".jks");
    }

    /** The file that an option names, which can be read; else an exception that names both. */
    private static File readable(LazyTablesConfig config, LazyTablesOption<String> option) throws IOException {
        String name = config.get(option);
        if (name.isEmpty()) {
            throw new IOException(option + " is missing");
        }
        var file = new File(name);
        // Here, as Netty's exceptions do not say which file it was.
        if (!file.isFile() || !file.canRead()) {
            throw new IOException(option + ": " + name + " cannot be read");
        }
        return file;
    }

    /** With the remedy for what is wrong most often: openssl writes keys in another form by itself. */
    private static LazyTablesException fault(Exception e) {
        return LazyTablesException.of(
                Code.CONFIGURATION,
                "TLS cannot be set up: " + e.getMessage() + "; keys in PEM files must be PKCS#8 (openssl pkcs8 -topk8)",
                e);
    }
}
