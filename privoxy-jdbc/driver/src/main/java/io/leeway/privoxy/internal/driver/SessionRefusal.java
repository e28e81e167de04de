package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.guard.Audit;

/**
 * Refuses what a session has become. In audit mode the statement passes, so that a trial run shows which sessions would
 * be refused.
 */
record SessionRefusal(PrivoxyMode mode) {

    private static final System.Logger LOG = System.getLogger(SessionRefusal.class.getName());

    /** Refuses settings with which SQL is not what the checker takes it for. */
    void ofSetting(String setting, String supported) throws PrivoxyFailureException {
        refuse("The session has " + setting + ", with which SQL cannot be read safely; use " + supported + ".");
    }

    /** Refuses what was prepared before the session did something. */
    void ofPrepared(String done) throws PrivoxyFailureException {
        refuse("The session has " + done + "; prepare it again.");
    }

    private void refuse(String detail) throws PrivoxyFailureException {
        if (!Audit.letsPass(mode)) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.SESSION, detail);
        }
        LOG.log(System.Logger.Level.WARNING, "{0} mode: {1}", mode, detail);
    }
}
