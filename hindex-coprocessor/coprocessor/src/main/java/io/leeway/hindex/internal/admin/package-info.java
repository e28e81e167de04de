/** What operators do with indexes: create, build, verify, repair, drop. */
@NullMarked
package io.leeway.hindex.internal.admin;

import org.jspecify.annotations.NullMarked;
