/** The flow between shim and gateway: a control connection under TLS 1.3 and datagrams under its keys. */
@NullMarked
package io.leeway.approx.internal.net;

import org.jspecify.annotations.NullMarked;
