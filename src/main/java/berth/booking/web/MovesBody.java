package berth.booking.web;

import berth.http.Texts;
import berth.reservation.Reservation;
import berth.time.Window;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How often Berth has moved a reservation, and how often and how far it may still move it for others.
 *
 * @param count how often Berth moved it to make room or because its PEs were lost. Moves that only pull it forward do not count, nor do
 *     those of version 0.1.0
 * @param left how often Berth may still move it for others: 0 once its place is final, it has been moved as often as agreed, or its terms
 *     leave no other place. Null if the number is not bounded
 * @param from when it begins at the earliest if Berth moves it for others; null if {@code left} is 0
 * @param to when it ends at the latest if Berth moves it for others; null if {@code left} is 0
 */
@Schema(name = "Moves")
public record MovesBody(
        int count,
        @Nullable Integer left,
        @Nullable Instant from,
        @Nullable Instant to) {

    /**
     * Returns the body of a reservation.
     *
     * @param canMove whether Berth may still move it for others
     */
    public static MovesBody of(Reservation reservation, boolean canMove) {
        int count = reservation.status().moves().count();
        var left = reservation.terms().mobility().left(count);
        var within = canMove ? Optional.of(reservation.mayLieIn()) : Optional.<Window>empty();
        return new MovesBody(
                count,
                canMove ? (left.isPresent() ? left.getAsInt() : null) : Integer.valueOf(0),
                Texts.orNull(within.map(window -> Texts.instant(window.readyTime()))),
                Texts.orNull(within.map(window -> Texts.instant(window.deadline()))));
    }
}
