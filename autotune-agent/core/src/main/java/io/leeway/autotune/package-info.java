/** What users of AutoTune type: knobs and their values, settings, guards, options, errors, and tuning in process. */
@NullMarked
package io.leeway.autotune;

import org.jspecify.annotations.NullMarked;
