package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.budget.Funds;
import berth.reservation.Assignment;
import berth.reservation.Occurrence;
import berth.reservation.ReservationState;
import berth.reservation.SeriesId;
import berth.scheduling.Allowance;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.FairUse;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.pcollections.HashTreePMap;

class TransferTest {

    private static final AccountName ADA = new AccountName("ada");
    private static final AccountName BOB = new AccountName("bob");
    private static final AccountName ROOT = new AccountName("root");

    private final LiveCluster cluster = LiveCluster.of(8);

    private static Transfer transfer(int number) {
        return new Transfer(Request.target(number), BOB, ROOT);
    }

    private static Allowance limited(AccountLimits limits) {
        return new Allowance(limits, List.of());
    }

    private static AccountLimits active(int most) {
        return new AccountLimits(OptionalInt.of(most), OptionalInt.empty(), OptionalLong.empty());
    }

    @Test
    void eachOwnerGetsAnEventAndTheAgreementStays() {
        var before = cluster.grant(Request.of(1, 2, 100).start(100).owner("ada"));
        cluster.at(50);

        var events = cluster.happens(transfer(1)).stream()
                .map(ReservationEvent.class::cast)
                .toList();

        assertThat(events)
                .extracting(ReservationEvent::type)
                .containsExactly(Event.Type.TRANSFERRED, Event.Type.RECEIVED);
        assertThat(events)
                .extracting(event -> event.reservation().origin().owner())
                .containsExactly(ADA, BOB);
        var after = cluster.latest(1);
        assertThat(after.origin().assignment()).contains(new Assignment(BOB, Optional.of(ADA), ROOT));
        assertThat(after.version()).isEqualTo(before.version() + 2);
        assertThat(after)
                .usingRecursiveComparison()
                .ignoringFields("origin", "status.version", "status.updatedAt")
                .isEqualTo(before);
        assertThat(cluster.schedule().reservationsOf(ADA)).isEmpty();
        assertThat(cluster.schedule().reservationsOf(BOB)).containsExactly(after);
        assertThat(cluster.happens(transfer(1))).as("to its owner").isEmpty();
        cluster.at(100).advance();
        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.RUNNING);
        assertThat(cluster.schedule().reservationsOf(BOB)).containsExactly(cluster.latest(1));
    }

    @Test
    void theNewOwnerTakesThePlaceOfTheFormerAmongTheUsers() {
        cluster.grant(Request.of(1, 2, 100).start(100).owner("ada"));
        cluster.happens(new ChangeUsers(Request.target(1), List.of("carol", "ada")));

        cluster.happens(transfer(1));

        assertThat(cluster.latest(1).origin().users()).containsExactly("carol", "bob");
    }

    @Test
    void countsAgainstTheLimitsOfTheNewOwner() {
        cluster.grant(Request.of(1, 2, 100).start(100).owner("bob"));
        cluster.grant(Request.of(2, 2, 100).start(300).owner("ada"));

        assertThat(cluster.refuse(transfer(2), limited(active(1))))
                .isInstanceOfSatisfying(
                        Rejection.LimitExceeded.class,
                        reason -> assertThat(reason.violation().field()).isEqualTo("limits.activeReservations"));
        var one = new FairUse(OptionalLong.empty(), Optional.empty(), OptionalInt.of(1));
        assertThat(cluster.refuse(transfer(2), limited(AccountLimits.NONE.with(one))))
                .isInstanceOf(Rejection.LimitExceeded.class);
        cluster.happens(transfer(2), limited(active(2)));
    }

    @Test
    void aHoldCountsAsAHoldOfTheNewOwner() {
        cluster.grant(Request.of(1, 2, 100).start(300).hold(50).owner("ada"));
        var noHolds = new AccountLimits(
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.of(0),
                OptionalLong.empty());

        assertThat(cluster.refuse(transfer(1), limited(noHolds))).isInstanceOf(Rejection.LimitExceeded.class);
        cluster.happens(transfer(1));
        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.HELD);
    }

    @Test
    void onlyAnAccountThatMayFileUnderTheProjectGetsIt() {
        cluster.grant(Request.of(1, 2, 100).start(100).owner("ada").project("climate"));
        var funds = new Funds(HashTreePMap.empty(), (account, _) -> account.equals(ADA));
        var basis = new Basis(cluster.schedule(), 0).funded(funds);

        assertThat(transfer(1).decide(basis))
                .isEqualTo(new Decision.Rejected(new Rejection.FilingClosed("climate", BOB)));
    }

    @Test
    void anOccurrenceOfASeriesStaysWithItsSeries() {
        var reserve = Request.of(1, 2, 100).start(100).owner("ada").reserve();
        var occurrence = new Occurrence(new SeriesId(new UUID(1, 1)), LocalDate.EPOCH);
        cluster.happens(new Reserve(
                reserve.id(), reserve.origin().as(occurrence), reserve.terms(), reserve.start(), reserve.hold()));

        assertThat(cluster.refuse(transfer(1))).isInstanceOf(Rejection.InvalidTerms.class);
    }
}
