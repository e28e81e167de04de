package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.LazyTablesOptions.Compression;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the transport needs of the configuration.
 *
 * @param token what both sides must know, or empty
 * @param tls encrypts, if it is there
 */
record NetSettings(
        int frameLimit,
        int watermark,
        long sendLimit,
        Compression compression,
        int compressAbove,
        Duration heartbeat,
        Duration idleTimeout,
        Duration connectTimeout,
        Duration handshakeTimeout,
        Duration retryFirst,
        Duration retryMost,
        int connections,
        int handshakes,
        String token,
        @Nullable SslContext tls) {

    static NetSettings ofClient(LazyTablesConfig config) {
        return of(config, config.get(LazyTablesOptions.TLS) ? TlsContexts.client(config) : null);
    }

    static NetSettings ofServer(LazyTablesConfig config) {
        return of(config, config.get(LazyTablesOptions.TLS) ? TlsContexts.server(config) : null);
    }

    private static NetSettings of(LazyTablesConfig config, @Nullable SslContext tls) {
        return new NetSettings(
                Math.toIntExact(config.get(LazyTablesOptions.FRAME_LIMIT)),
                Math.toIntExact(config.get(LazyTablesOptions.SEND_WATERMARK)),
                config.get(LazyTablesOptions.SEND_LIMIT),
                config.get(LazyTablesOptions.COMPRESSION),
                Math.toIntExact(config.get(LazyTablesOptions.COMPRESS_ABOVE)),
                config.get(LazyTablesOptions.HEARTBEAT),
                config.get(LazyTablesOptions.IDLE_TIMEOUT),
                config.get(LazyTablesOptions.CONNECT_TIMEOUT),
                config.get(LazyTablesOptions.HANDSHAKE_TIMEOUT),
                config.get(LazyTablesOptions.RETRY_FIRST),
                config.get(LazyTablesOptions.RETRY_MOST),
                config.get(LazyTablesOptions.CONNECTIONS),
                config.get(LazyTablesOptions.HANDSHAKES),
                config.token(),
                tls);
    }

    /** Without what is secret. */
    @Override
    public String toString() {
        return "NetSettings[frames up to " + frameLimit + ", " + (token.isEmpty() ? "no token" : "a token") + ", "
                + (tls == null ? "no TLS" : "TLS") + "]";
    }
}
