/** Topics of Kafka as sources. */
@NullMarked
package io.leeway.lazybase.internal.kafka;

import org.jspecify.annotations.NullMarked;
