/** AutoTune: fewer servers at the same latency, pure; what deploys and measures is passed in. */
@NullMarked
package io.leeway.autotune.internal.deploy;

import org.jspecify.annotations.NullMarked;
