/**
 * Reads SQL exactly as the database does: lexer, parser and printer for PostgreSQL, MariaDB (MySQL) and H2. What is not
 * understood is refused with its position, never passed over.
 */
@NullMarked
package io.leeway.privoxy.internal.sql;

import org.jspecify.annotations.NullMarked;
