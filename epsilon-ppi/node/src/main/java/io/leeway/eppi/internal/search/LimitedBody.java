package io.leeway.eppi.internal.search;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Bytes of an answer up to a limit. */
final class LimitedBody implements BodySubscriber<byte[]> {

    /** There were more. */
    static final class TooLongException extends IOException {

        private static final long serialVersionUID = 1L;

        private TooLongException(int most) {
            super("more than " + most + " bytes");
        }
    }

    private final BodySubscriber<byte[]> all = BodySubscribers.ofByteArray();
    private final int most;
    private long taken;
    private @Nullable Subscription subscription;

    LimitedBody(int most) {
        this.most = most;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return all.getBody();
    }

    @Override
    public void onSubscribe(Subscription given) {
        subscription = given;
        all.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer each : buffers) {
            taken += each.remaining();
        }
        Subscription giving = subscription;
        if (taken > most && giving != null) {
            giving.cancel();
            all.onError(new TooLongException(most));
        } else {
            all.onNext(buffers);
        }
    }

    @Override
    public void onError(Throwable fault) {
        all.onError(fault);
    }

    @Override
    public void onComplete() {
        all.onComplete();
    }
}
