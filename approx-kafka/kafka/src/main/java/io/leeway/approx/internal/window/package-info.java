/** Which job a record belongs to, and which sampling rate the job gets. */
@NullMarked
package io.leeway.approx.internal.window;

import org.jspecify.annotations.NullMarked;
