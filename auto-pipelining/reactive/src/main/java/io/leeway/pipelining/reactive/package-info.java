/** Auto-pipelining in reactive pipelines: what users type. */
@NullMarked
package io.leeway.pipelining.reactive;

import org.jspecify.annotations.NullMarked;
