package io.leeway.eppi.internal.config;

import java.security.cert.X509Certificate;

/**
 * A member of a network.
 *
 * @param role what it does
 * @param number among those of its role, from 0
 * @param name unique in the network
 * @param host where it listens
 * @param port where it listens; 0 if it says so elsewhere
 * @param certificate by which it is known
 */
public record Member(Role role, int number, String name, String host, int port, X509Certificate certificate) {

    /** What members do. */
    public enum Role {
        /** Computes with shares. */
        COORDINATOR,
        /** Has records. */
        PROVIDER,
        /** Serves the index. */
        INDEX,
        /** Searches, and has no records. */
        SEARCHER,
        /** Signs the register of persons. */
        REGISTRAR
    }

    @Override
    public String toString() {
        return name;
    }
}
