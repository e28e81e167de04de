/** What users of auto-pipelining type: graphs, options, decisions, errors. */
@NullMarked
package io.leeway.pipelining;

import org.jspecify.annotations.NullMarked;
