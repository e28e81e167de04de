package io.leeway.approx.internal.net;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import io.leeway.approx.ApproxOption;
import io.leeway.approx.ApproxOptions;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.UnrecoverableKeyException;
import java.util.Collections;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
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
            throw unusable(options, ApproxOption.TRUST, ApproxOption.TRUST_PASSWORD, e);
        }
    }

    /** The context of one side. */
    public static SslContext server(ApproxOptions options) {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            options.required(ApproxOption.KEYSTORE);
            char[] password = options.text(ApproxOption.KEYSTORE_PASSWORD).toCharArray();
            KeyStore store = load(options, ApproxOption.KEYSTORE, ApproxOption.KEYSTORE_PASSWORD);
            if (!hasKey(store)) {
                throw new KeyStoreException(
                        "it has no private key; is it the one that shims trust (" + ApproxOption.TRUST.key() + ")?");
            }
            keys.init(store, password);
            return SslContextBuilder.forServer(keys).protocols(TLS).build();
        } catch (GeneralSecurityException | IOException e) {
            throw unusable(options, ApproxOption.KEYSTORE, ApproxOption.KEYSTORE_PASSWORD, e);
        }
    }

    private static boolean hasKey(KeyStore store) throws KeyStoreException {
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                return true;
            }
        }
        return false;
    }

    /** What is wrong with a store, in the words of those who have to mend it. */
    private static ApproxException unusable(
            ApproxOptions options, ApproxOption path, ApproxOption password, Exception e) {
        String store = path.key() + "=" + options.text(path);
        String what;
        if (e instanceof NoSuchFileException) {
            what = "There is no file " + store + ".";
        } else if (e instanceof AccessDeniedException) {
            what = "The file " + store + " may not be read by this process.";
        } else if (e instanceof UnrecoverableKeyException || e.getCause() instanceof UnrecoverableKeyException) {
            what = password.key() + (options.has(password) ? " is not the password" : " is missing, the password")
                    + " of " + store + ".";
        } else {
            String message = String.valueOf(e.getMessage());
            what = store + " is no PKCS12 store that can be used: " + message + (message.endsWith("?") ? "" : ".");
        }
        return new ApproxException(ApproxError.KEYS, what, e);
    }

    /** Why a connection under TLS failed, with what to look at where the other side is not the one expected. */
    static String why(Throwable cause) {
        String hint = "";
        Throwable root = cause;
        for (Throwable each = cause; each != null; each = each.getCause()) {
            root = each;
            if (each instanceof NotSslRecordException) {
                return "what answers there does not speak TLS; is approx.gateway the port of a gateway?";
            }
            if (each instanceof SSLException) {
                hint = "TLS failed; does " + ApproxOption.TRUST.key()
                        + " belong to the gateway's key store, and does its certificate have the name in approx.gateway? ";
            }
        }
        return hint + (root.getMessage() == null ? root.toString() : root.getMessage());
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
