package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Value;
import java.util.Map;

/** A request: the context in which its statements are decided. */
public interface Request {

    /** The context's parameters by name; empty if no context was given. */
    Map<String, Value> context();
}
