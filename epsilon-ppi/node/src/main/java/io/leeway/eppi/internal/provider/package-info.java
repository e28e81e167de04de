/** A provider's side: memberships from its database, noise that stays, searches by others. */
@NullMarked
package io.leeway.eppi.internal.provider;

import org.jspecify.annotations.NullMarked;
