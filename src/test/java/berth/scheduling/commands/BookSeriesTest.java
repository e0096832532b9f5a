package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.intake.IntakeRequest;
import berth.reservation.Occurrence;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.SeriesId;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.commands.BookSeries.GivenUp;
import berth.sla.AccountName;
import berth.time.Slot;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs of ten seconds, a hundred seconds apart. */
class BookSeriesTest {

    private static final SeriesId SERIES = new SeriesId(new UUID(9, 1));
    private static final SeriesId OTHER = new SeriesId(new UUID(9, 2));
    private static final LocalDate FIRST = LocalDate.of(2027, 1, 1);

    private final LiveCluster cluster = LiveCluster.of(8);

    private static Reserve occurrence(SeriesId series, int number, int pes) {
        long ready = 100L * number;
        var plain = Request.of(1000 + 100 * (int) series.value().getLeastSignificantBits() + number, pes, 10)
                .ready(ready)
                .deadline(ready + 10)
                .reserve();
        return new Reserve(
                plain.id(),
                plain.origin().as(new Occurrence(series, FIRST.plusDays(number))),
                plain.terms(),
                plain.start(),
                plain.hold());
    }

    private static BookSeries book(SeriesId series, int atLeast, int... numbers) {
        return new BookSeries(
                Optional.empty(),
                IntStream.of(numbers)
                        .mapToObj(number -> occurrence(series, number, 8))
                        .toList(),
                atLeast,
                5);
    }

    private List<Reservation> live(SeriesId series) {
        return cluster.schedule().reservations().stream()
                .filter(one -> one.origin()
                        .occurrence()
                        .filter(which -> which.series().equals(series))
                        .isPresent())
                .toList();
    }

    @Test
    void booksAllOccurrencesOrNone() {
        cluster.grant(Request.of(1, 1, 10).ready(200).deadline(210));

        var refused = cluster.refuse(book(SERIES, 3, 1, 2, 3));
        assertThat(refused).isEqualTo(new Rejection.TooFewOccurrences(2, 3, new Rejection.NoSlot()));
        assertThat(refused.code()).isEqualTo(RefusalCode.NO_SLOT);
        assertThat(live(SERIES)).isEmpty();

        cluster.happens(book(SERIES, 3, 1, 3, 4));
        assertThat(live(SERIES))
                .extracting(Reservation::slot, one -> one.origin().occurrence())
                .containsExactlyInAnyOrder(
                        tuple(new Slot(100, 110), Optional.of(new Occurrence(SERIES, FIRST.plusDays(1)))),
                        tuple(new Slot(300, 310), Optional.of(new Occurrence(SERIES, FIRST.plusDays(3)))),
                        tuple(new Slot(400, 410), Optional.of(new Occurrence(SERIES, FIRST.plusDays(4)))));
    }

    @Test
    void recordsRejectedOccurrencesIfFewerAreEnough() {
        cluster.grant(Request.of(1, 1, 10).ready(200).deadline(210));

        var events = cluster.happens(book(SERIES, 1, 1, 2, 3));

        assertThat(events)
                .extracting(Event::type)
                .containsExactly(Event.Type.CONFIRMED, Event.Type.REJECTED, Event.Type.CONFIRMED);
        var rejected = ((RequestEvent) events.get(1)).request();
        assertThat(rejected.state()).isEqualTo(IntakeRequest.State.REJECTED);
        assertThat(rejected.reason()).contains(RefusalCode.NO_SLOT);
        assertThat(rejected.origin().occurrence()).contains(new Occurrence(SERIES, FIRST.plusDays(2)));
        assertThat(cluster.schedule().openRequests()).isEmpty();
    }

    @Test
    void replacesOccurrencesOfAnotherSeriesOrChangesNothing() {
        cluster.happens(book(SERIES, 3, 1, 2, 3));
        cluster.at(100).advance();
        var takesOver = new GivenUp(SERIES, new AccountName("ada"), FIRST.plusDays(2));
        var next = book(OTHER, 2, 2, 3);

        cluster.refuse(new BookSeries(Optional.empty(), next.occurrences(), 2, 5));
        cluster.refuse(new BookSeries(
                Optional.of(takesOver), List.of(occurrence(OTHER, 2, 8), occurrence(OTHER, 3, 9)), 2, 5));
        assertThat(live(SERIES)).hasSize(3);

        cluster.happens(new BookSeries(Optional.of(takesOver), next.occurrences(), 2, 5));
        assertThat(live(SERIES)).extracting(Reservation::state).containsExactly(ReservationState.RUNNING);
        assertThat(live(OTHER)).extracting(Reservation::slot).contains(new Slot(200, 210), new Slot(300, 310));
        assertThat(cluster.latest(1102).state()).isEqualTo(ReservationState.CANCELLED);
    }

    @Test
    void replacesNoOccurrencesOfOthersAndNoneThatHasBegun() {
        cluster.happens(book(SERIES, 1, 0, 1));
        cluster.advance();

        var events = cluster.happens(
                new BookSeries(Optional.of(new GivenUp(SERIES, new AccountName("grace"), FIRST)), List.of(), 0, 5));
        assertThat(events).isEmpty();
        events = cluster.happens(
                new BookSeries(Optional.of(new GivenUp(SERIES, new AccountName("ada"), FIRST)), List.of(), 0, 5));
        assertThat(events).extracting(Event::type).containsExactly(Event.Type.CANCELLED);
        assertThat(live(SERIES)).extracting(Reservation::state).containsExactly(ReservationState.RUNNING);
    }
}
