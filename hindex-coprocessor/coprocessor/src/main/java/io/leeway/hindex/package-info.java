/** What a user of HBase types to have a table indexed by value. */
@NullMarked
package io.leeway.hindex;

import org.jspecify.annotations.NullMarked;
