package io.leeway.eppi.internal.net;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.NodeKey;
import io.leeway.eppi.internal.config.Roster;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** TLS 1.3 among the members of a roster, with certificates on both sides. */
final class Tls {

    static final String PROTOCOL = "TLSv1.3";

    private static final char[] IN_MEMORY = "in memory".toCharArray();

    private Tls() {}

    static SSLContext context(NodeKey key, Roster roster) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, IN_MEMORY);
            store.setKeyEntry("eppi", key.key(), IN_MEMORY, new Certificate[] {key.certificate()});
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, IN_MEMORY);
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(keys.getKeyManagers(), new TrustManager[] {new Members(roster)}, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw EppiException.of(Code.CONFIGURATION, "TLS cannot be set up with the key: " + e.getMessage(), e);
        }
    }

    /**
     * Trusts the certificates of the roster. Names and addresses do not matter: which member it is follows from the
     * certificate, and is checked by who connects.
     */
    private static final class Members extends X509ExtendedTrustManager {

        private final Roster roster;

        Members(Roster roster) {
            this.roster = roster;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            if (roster.with(chain[0]).isEmpty()) {
                throw new CertificateException(
                        "the certificate of " + chain[0].getSubjectX500Principal() + " is not in the roster");
            }
            chain[0].checkValidity();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
