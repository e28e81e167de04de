package io.leeway.privoxy.internal.cache.file;

import java.time.LocalDate;

/** Somebody has read a template and agreed. It is a remark; what counts for a store is the signature of the file. */
public record Review(String by, LocalDate on) {}
