package io.leeway.hindex.internal.read;

import io.leeway.hindex.internal.plan.Entry;

/** An entry of an index that is not checked yet, and the row that it speaks of. */
@SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
record Candidate(Entry entry, byte[] row) {}
