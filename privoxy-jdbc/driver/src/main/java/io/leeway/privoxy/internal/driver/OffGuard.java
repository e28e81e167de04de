package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.ContextCommand;
import io.leeway.privoxy.internal.guard.Guard;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.request.Request;
import java.sql.Connection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The guard when everything is switched off. It knows context commands, which the database must not get; everything
 * else passes unread.
 */
final class OffGuard implements Guard {

    @Override
    public GuardedStatement prepare(String sql, SessionState session, Connection connection) {
        String start = sql.stripLeading();
        if (isWord(start, "set") || isWord(start, "reset")) {
            String rest = start.substring(start.toLowerCase(Locale.ROOT).indexOf("set") + 3)
                    .stripLeading();
            boolean isOurs = rest.regionMatches(true, 0, "privoxy", 0, 7);
            if (isOurs && (rest.length() == 7 || !Character.isUnicodeIdentifierPart(rest.charAt(7)))) {
                return Swallowed.INSTANCE;
            }
        }
        return UnreadStatement.INSTANCE;
    }

    private static boolean isWord(String text, String word) {
        return text.regionMatches(true, 0, word, 0, word.length())
                && text.length() > word.length()
                && Character.isWhitespace(text.charAt(word.length()));
    }

    private enum Swallowed implements GuardedStatement {
        INSTANCE;

        @Override
        public StatementPlan.Kind kind() {
            return StatementPlan.Kind.SESSION;
        }

        @Override
        public @Nullable ContextCommand contextCommand() {
            return new ContextCommand("", null);
        }

        @Override
        public boolean changesSession() {
            return false;
        }

        @Override
        public Permit check(Request request, Parameters parameters) {
            return new UncheckedPermit(request);
        }
    }
}
