package io.leeway.approx.internal.net;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import io.leeway.approx.ApproxOption;
import io.leeway.approx.ApproxOptions;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** TLS 1.3 from key stores. */
public final class Keys {

    private static final String TLS = "TLSv1.3";

    private Keys() {}

    /** The context of one side. */
    public static SslContext client(ApproxOptions options) {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient().protocols(TLS);
            if (options.has(ApproxOption.TRUST)) {
                TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trust.init(load(options, ApproxOption.TRUST, ApproxOption.TRUST_PASSWORD));
                builder.trustManager(trust);
            }
            return builder.build();
        } catch (GeneralSecurityException | IOException e) {
            throw new ApproxException(ApproxError.KEYS, "The trust store cannot be used: " + e.getMessage(), e);
        }
    }

    /** The context of one side. */
    public static SslContext server(ApproxOptions options) {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            options.required(ApproxOption.KEYSTORE);
            char[] password = options.text(ApproxOption.KEYSTORE_PASSWORD).toCharArray();
            keys.init(load(options, ApproxOption.KEYSTORE, ApproxOption.KEYSTORE_PASSWORD), password);
            return SslContextBuilder.forServer(keys).protocols(TLS).build();
        } catch (GeneralSecurityException | IOException e) {
            throw new ApproxException(ApproxError.KEYS, "The key store cannot be used: " + e.getMessage(), e);
        }
    }

    private static KeyStore load(ApproxOptions options, ApproxOption path, ApproxOption password)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(options.text(path)))) {
            store.load(in, options.text(password).toCharArray());
        }
        return store;
    }
}
