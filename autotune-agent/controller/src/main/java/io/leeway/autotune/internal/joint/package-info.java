/** Several services and what is around them, tuned as one. */
@NullMarked
package io.leeway.autotune.internal.joint;

import org.jspecify.annotations.NullMarked;
