package berth.replay;

import berth.terminal.Reply;
import berth.time.Slot;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** What a reply says about a reservation that was asked for. */
sealed interface Verdict {

    /**
     * Reserved.
     *
     * @param placement the slot as it was when the answer was given; the service may still move it inside its window
     */
    record Accepted(int status, UUID reservation, Slot placement, int pes) implements Verdict {}

    /** Taken in but not decided yet: the cluster collects requests. */
    record Pending(int status, UUID reservation) implements Verdict {}

    /** Refused for good, with the problem's code; a "too many requests" that outlasted the patience is one, too. */
    record Refused(int status, String code) implements Verdict {}

    /** The token is unknown or may not do this, so no other request would fare better. */
    record Denied(int status, String code, String said) implements Verdict {}

    /**
     * The request may have been carried out or not.
     *
     * @param status of the last answer, 0 if there was none
     * @param code of the last problem, or why there was no answer
     */
    record Unknown(int status, String code, String said) implements Verdict {}

    /** An answer that the contract does not know: what stands there is no Berth. */
    record Foreign(int status, String said) implements Verdict {}

    static Verdict of(Reply reply) {
        return switch (reply) {
            case Reply.Unheard unheard -> new Unknown(0, unheard.cause(), unheard.detail());
            case Reply.Heard heard -> ofAnswer(heard);
        };
    }

    private static Verdict ofAnswer(Reply.Heard heard) {
        int status = heard.status();
        if (status == 200 || status == 201 || status == 202) {
            return ofReservation(heard);
        }
        if (status < 400) {
            return new Foreign(status, heard.said());
        }
        if (status >= 500) {
            return new Unknown(status, heard.code(), heard.said());
        }
        return isDenial(heard) ? new Denied(status, heard.code(), heard.said()) : new Refused(status, heard.code());
    }

    /** 403 is also how a limit of the account is refused, and that says nothing about the next request. */
    static boolean isDenial(Reply.Heard heard) {
        return heard.status() == 401 || (heard.status() == 403 && !heard.code().equals("limit-exceeded"));
    }

    private static Verdict ofReservation(Reply.Heard heard) {
        JsonNode body = heard.body();
        try {
            UUID id = UUID.fromString(body.path("id").asString(""));
            JsonNode placement = body.path("placement");
            if (placement.isMissingNode() || placement.isNull()) {
                return new Pending(heard.status(), id);
            }
            Slot slot = new Slot(second(placement, "start"), second(placement, "end"));
            int pes = placement.path("pes").asInt(0);
            return pes < 1
                    ? new Foreign(heard.status(), "a reservation of %d PEs".formatted(pes))
                    : new Accepted(heard.status(), id, slot, pes);
        } catch (IllegalArgumentException | DateTimeException e) {
            return new Foreign(heard.status(), "a reservation that cannot be read (%s)".formatted(e.getMessage()));
        }
    }

    private static long second(JsonNode placement, String field) {
        return OffsetDateTime.parse(placement.path(field).asString("")).toEpochSecond();
    }
}
