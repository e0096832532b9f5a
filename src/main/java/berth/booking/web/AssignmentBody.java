package berth.booking.web;

import berth.http.Texts;
import berth.reservation.Assignment;
import berth.reservation.Origin;
import berth.sla.AccountName;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * How an account gets a reservation that it did not request itself.
 *
 * @param to the account that becomes its owner
 * @param from the owner who hands it over; null if the reservation was requested for the account
 * @param by the account that requested it or hands it over
 */
@Schema(name = "Assignment", example = "{\"to\":\"bob\",\"from\":\"alice\",\"by\":\"alice\"}")
public record AssignmentBody(String to, @Nullable String from, String by) {

    /** Returns the last assignment; null if the owner requested the reservation. */
    public static @Nullable AssignmentBody of(Origin origin) {
        return Texts.orNull(origin.assignment().map(AssignmentBody::of));
    }

    private static AssignmentBody of(Assignment how) {
        return new AssignmentBody(
                how.to().value(),
                Texts.orNull(how.from().map(AccountName::value)),
                how.by().value());
    }
}
