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

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private TlsContexts() {}

    static SslContext client(LazyTablesConfig config) {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
            trust(config, builder);
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

    static SslContext server(LazyTablesConfig config) {
        try {
            SslContextBuilder builder = isStore(config.get(LazyTablesOptions.TLS_CERTIFICATE))
                    ? SslContextBuilder.forServer(keys(config))
                    : SslContextBuilder.forServer(certificate(config), key(config), password(config));
            if (!config.get(LazyTablesOptions.TLS_TRUST).isEmpty()) {
                trust(config, builder);
                builder.clientAuth(ClientAuth.REQUIRE);
            }
            return build(builder);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw fault(e);
        }
    }

    private static SslContext build(SslContextBuilder builder) throws IOException {
        return builder.sslProvider(SslProvider.JDK).protocols(PROTOCOLS).build();
    }

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

    private static KeyManagerFactory keys(LazyTablesConfig config) throws IOException, GeneralSecurityException {
        String password = config.get(LazyTablesOptions.TLS_PASSWORD);
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store(config, LazyTablesOptions.TLS_CERTIFICATE, password), password.toCharArray());
        return factory;
    }

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
        return password.isEmpty() ? null : password;
    }

    private static boolean isStore(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        return name.endsWith(".p12") || name.endsWith(".pfx") || name.endsWith(".jks");
    }

    private static File readable(LazyTablesConfig config, LazyTablesOption<String> option) throws IOException {
        String name = config.get(option);
        if (name.isEmpty()) {
            throw new IOException(option + " is missing");
        }
        var file = new File(name);
        if (!file.isFile() || !file.canRead()) {
            throw new IOException(option + ": " + name + " cannot be read");
        }
        return file;
    }

    private static LazyTablesException fault(Exception e) {
        return LazyTablesException.of(
                Code.CONFIGURATION,
                "TLS cannot be set up: " + e.getMessage() + "; keys in PEM files must be PKCS#8 (openssl pkcs8 -topk8)",
                e);
    }
}
