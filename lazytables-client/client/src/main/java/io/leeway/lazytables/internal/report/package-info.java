/** The page that shows how runs went, from their records. */
@NullMarked
package io.leeway.lazytables.internal.report;

import org.jspecify.annotations.NullMarked;
