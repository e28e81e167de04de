package io.leeway.privoxy.internal.cache.file;

/**
 * An Ed25519 signature of a template file.
 *
 * <p>Several may stand in a file, so that two reviewers can sign one after the other.
 *
 * @param key number of the key, see {@link TemplateSigner#keyId}
 * @param value in Base64
 */
public record FileSignature(String key, String value) {}
