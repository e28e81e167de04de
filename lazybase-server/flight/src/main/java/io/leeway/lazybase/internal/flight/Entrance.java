package io.leeway.lazybase.internal.flight;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.pg.Users;
import java.io.IOException;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.auth2.Auth2Constants;
import org.apache.arrow.flight.auth2.BasicCallHeaderAuthenticator;
import org.apache.arrow.flight.auth2.CallHeaderAuthenticator;
import org.apache.arrow.flight.auth2.GeneratedBearerTokenAuthenticator;

/**
 * Lets clients in by name and password, and then by the token that they got for these. Without users everybody comes in, as at
 * PostgreSQL's door, which then is one of the loopback address. Thread-safe.
 */
final class Entrance implements CallHeaderAuthenticator {

    private static final String NOBODY = "anonymous";

    private final Users users;
    private final CallHeaderAuthenticator known;

    Entrance(Users users) {
        this.users = users;
        this.known = new GeneratedBearerTokenAuthenticator(new BasicCallHeaderAuthenticator(this::named));
    }

    private AuthResult named(String name, String password) {
        try {
            if (!users.all().isEmpty() && !users.isRight(name, password)) {
                throw Faults.of(new LazyBaseException(Code.AUTHENTICATION, "User " + name + "."));
            }
        } catch (IOException e) {
            throw Faults.of(new LazyBaseException(Code.STORE, "The users cannot be read: " + e.getMessage() + ".", e));
        }
        return () -> name;
    }

    @Override
    public AuthResult authenticate(CallHeaders headers) {
        try {
            if (!headers.containsKey(Auth2Constants.AUTHORIZATION_HEADER)) {
                if (users.all().isEmpty()) {
                    return () -> NOBODY;
                }
                throw Faults.of(new LazyBaseException(Code.AUTHENTICATION, "No user was given."));
            }
        } catch (IOException e) {
            throw Faults.of(new LazyBaseException(Code.STORE, "The users cannot be read: " + e.getMessage() + ".", e));
        }
        return known.authenticate(headers);
    }

    /** Whether who was let in may only read; users may have gone since. */
    boolean isReader(String name) throws IOException {
        if (users.all().isEmpty()) {
            return false;
        }
        Users.User user = users.find(name);
        if (user == null) {
            throw new LazyBaseException(Code.AUTHENTICATION, "User " + name + ".");
        }
        return user.role() == Users.Role.READ;
    }
}
