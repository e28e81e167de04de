package io.leeway.privoxy.internal.guard;

import java.time.Instant;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A point in time bound with a calendar: the database gets what the clock of that calendar's zone shows.
 *
 * <p>{@code setTimestamp(…, calendar)}: the driver converts before it sends, so the object alone is not what the
 * database compares.
 *
 * @param local what a column without zone is compared with
 * @param instant what a column with zone is compared with; null if that depends on the session
 */
public record Moment(LocalDateTime local, @Nullable Instant instant) {}
