package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.ContextCommand;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.request.Request;
import org.jspecify.annotations.Nullable;

/** A text that the guard did not understand and that passes all the same, outside enforce mode: it may do anything. */
enum UnreadStatement implements GuardedStatement {
    INSTANCE;

    @Override
    public StatementPlan.Kind kind() {
        return StatementPlan.Kind.DDL;
    }

    @Override
    public @Nullable ContextCommand contextCommand() {
        return null;
    }

    @Override
    public boolean changesSession() {
        return true;
    }

    @Override
    public SessionEffects effects() {
        return SessionEffects.ANY;
    }

    @Override
    public Permit check(Request request, Parameters parameters) {
        return new UncheckedPermit(request);
    }
}
