/** Templates as text that people read, review and sign, and that is read back exactly. Works on readers and writers. */
@NullMarked
package io.leeway.privoxy.internal.cache.file;

import org.jspecify.annotations.NullMarked;
