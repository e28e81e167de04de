/** Services on real servers, that know nothing of AutoTune, and an open-loop load on them. */
@NullMarked
package io.leeway.autotune.services;

import org.jspecify.annotations.NullMarked;
