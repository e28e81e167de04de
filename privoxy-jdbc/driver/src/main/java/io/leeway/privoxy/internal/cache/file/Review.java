package io.leeway.privoxy.internal.cache.file;

import java.time.LocalDate;

/**
 * Somebody has read a template and agreed. It is a remark; what counts for a store is the signature of the file.
 *
 * <p>Part of what is signed, so nobody can add or change one afterwards.
 */
public record Review(String by, LocalDate on) {}
