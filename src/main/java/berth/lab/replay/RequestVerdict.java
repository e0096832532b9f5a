package berth.lab.replay;

import berth.terminal.HttpResult;
import berth.time.Slot;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** The meaning of a reply to a reservation request. */
sealed interface RequestVerdict {

    /**
     * The reservation was accepted.
     *
     * @param placement the slot at the time of the answer; the service may still move it inside its window
     */
    record Accepted(int status, UUID reservation, Slot placement, int pes) implements RequestVerdict {}

    /** The request was accepted for a later decision: the cluster collects requests. */
    record Pending(int status, UUID reservation) implements RequestVerdict {}

    /**
     * The request was rejected for good, with the code of the problem. This includes a "too many requests" that outlasted the patience.
     */
    record Refused(int status, String code) implements RequestVerdict {}

    /** The token is unknown or does not allow this call, so every other request would fail as well. */
    record Denied(int status, String code, String message) implements RequestVerdict {}

    /**
     * It is unknown whether the request was carried out.
     *
     * @param status HTTP status of the last answer, 0 if there was none
     * @param code code of the last problem, or why there was no answer
     */
    record Unknown(int status, String code, String message) implements RequestVerdict {}

    /** An answer that does not conform to Berth's API: the address is not that of a Berth. */
    record Foreign(int status, String message) implements RequestVerdict {}

    static RequestVerdict of(HttpResult reply) {
        return switch (reply) {
            case HttpResult.NoResponse none -> new Unknown(0, none.cause(), none.detail());
            case HttpResult.Response response -> ofResponse(response);
        };
    }

    private static RequestVerdict ofResponse(HttpResult.Response response) {
        int status = response.status();
        if (status == 200 || status == 201 || status == 202) {
            return ofReservation(response);
        }
        if (status < 400) {
            return new Foreign(status, response.message());
        }
        if (status >= 500) {
            return new Unknown(status, response.code(), response.message());
        }
        return isDenial(response)
                ? new Denied(status, response.code(), response.message())
                : new Refused(status, response.code());
    }

    /**
     * Returns whether the token was rejected. Status 403 with {@code limit-exceeded} is not a rejection of the token: it reports a limit
     * of the account, and the next request may succeed.
     */
    static boolean isDenial(HttpResult.Response response) {
        return response.status() == 401
                || (response.status() == 403 && !response.code().equals("limit-exceeded"));
    }

    private static RequestVerdict ofReservation(HttpResult.Response response) {
        JsonNode body = response.body();
        try {
            UUID id = UUID.fromString(body.path("id").asString(""));
            JsonNode placement = body.path("placement");
            if (placement.isMissingNode() || placement.isNull()) {
                return new Pending(response.status(), id);
            }
            Slot slot = new Slot(second(placement, "start"), second(placement, "end"));
            int pes = placement.path("pes").asInt(0);
            return pes < 1
                    ? new Foreign(response.status(), "a reservation of %d PEs".formatted(pes))
                    : new Accepted(response.status(), id, slot, pes);
        } catch (IllegalArgumentException | DateTimeException e) {
            return new Foreign(response.status(), "a reservation that cannot be read (%s)".formatted(e.getMessage()));
        }
    }

    private static long second(JsonNode placement, String field) {
        return OffsetDateTime.parse(placement.path(field).asString("")).toEpochSecond();
    }
}
