/** Order-preserving, self-delimiting index keys: from cells and from query values; free of HBase. */
@NullMarked
package io.leeway.hindex.internal.encode;

import org.jspecify.annotations.NullMarked;
