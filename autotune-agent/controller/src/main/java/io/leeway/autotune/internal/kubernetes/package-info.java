/** The little of Kubernetes' API that tuning needs. */
@NullMarked
package io.leeway.autotune.internal.kubernetes;

import org.jspecify.annotations.NullMarked;
