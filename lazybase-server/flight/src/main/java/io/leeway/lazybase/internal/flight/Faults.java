package io.leeway.lazybase.internal.flight;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Errors as clients of Flight see them: a status, and our code, what happened and what to do in the description. Stateless. */
final class Faults {

    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);

    private Faults() {}

    static FlightRuntimeException of(Throwable fault) {
        if (fault instanceof FlightRuntimeException known) {
            return known;
        }
        if (fault instanceof LazyBaseException own && own.code() != Code.INTERNAL) {
            return status(own.code())
                    .withDescription(own.getMessage())
                    .withCause(own)
                    .toRuntimeException();
        }
        LOG.error("a call failed", fault);
        String text = fault instanceof LazyBaseException
                ? fault.getMessage()
                : new LazyBaseException(Code.INTERNAL, fault + ".", fault).getMessage();
        return CallStatus.INTERNAL.withDescription(text).withCause(fault).toRuntimeException();
    }

    private static CallStatus status(Code code) {
        return switch (code) {
            case AUTHENTICATION -> CallStatus.UNAUTHENTICATED;
            case DENIED -> CallStatus.UNAUTHORIZED;
            case NOT_FOUND, NO_COLUMN, NO_STATEMENT -> CallStatus.NOT_FOUND;
            case EXISTS -> CallStatus.ALREADY_EXISTS;
            case UNSUPPORTED -> CallStatus.UNIMPLEMENTED;
            case CANCELLED -> CallStatus.CANCELLED;
            case TOO_LARGE, OVERLOADED, DISK_FULL, CONNECTIONS -> CallStatus.RESOURCE_EXHAUSTED;
            case STORE, CLOSED, REMADE -> CallStatus.UNAVAILABLE;
            case DAMAGED -> CallStatus.INTERNAL;
            default -> CallStatus.INVALID_ARGUMENT;
        };
    }
}
