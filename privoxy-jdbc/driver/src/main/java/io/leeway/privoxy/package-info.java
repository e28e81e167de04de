/** What an application types to have its SQL checked against a privacy policy. */
@NullMarked
package io.leeway.privoxy;

import org.jspecify.annotations.NullMarked;
