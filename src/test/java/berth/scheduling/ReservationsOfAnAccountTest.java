package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Confirm;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Fix.Wish;
import berth.scheduling.commands.Reserve;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReservationsOfAnAccountTest {

    private static final List<AccountName> OWNERS =
            List.of(new AccountName("ada"), new AccountName("bob"), new AccountName("eve"));

    @Test
    void areTheReservationsThatItOwnsAfterAnyCommand() {
        var random = new Random(1);
        var schedule = ClusterSchedule.empty(Cluster.of("tiny", 4));
        for (int step = 0; step < 1000; step++) {
            schedule = after(schedule, command(random, step), step);
            for (var owner : OWNERS) {
                assertThat(schedule.reservationsOf(owner))
                        .containsExactlyInAnyOrderElementsOf(schedule.reservations().stream()
                                .filter(reservation ->
                                        reservation.origin().owner().equals(owner))
                                .toList());
            }
        }
        assertThat(OWNERS)
                .map(schedule::reservationsOf)
                .allSatisfy(each -> assertThat(each).isNotEmpty());
        assertThat(schedule.reservationsOf(new AccountName("nobody"))).isEmpty();
    }

    /** Decides a command after everything due by then. */
    private static ClusterSchedule after(ClusterSchedule before, Command command, long now) {
        var schedule = new AdvanceClock(1000).decide(new Basis(before, now)).next();
        return command.decide(new Basis(schedule, now)) instanceof Decision.Accepted(var _, var next) ? next : schedule;
    }

    private static Command command(Random random, int step) {
        var earlier = new Target(id(Math.max(0, step - 1 - random.nextInt(10))), OptionalInt.empty());
        return switch (random.nextInt(5)) {
            case 0 -> new Cancel(earlier);
            case 1 -> new Confirm(earlier);
            case 2 -> new Fix(earlier, Wish.OWNERS);
            default ->
                new Reserve(
                        id(step),
                        new Origin(OWNERS.get(random.nextInt(OWNERS.size())), ServiceClass.STANDARD),
                        RequestedTerms.of(
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                1 + random.nextInt(20),
                                1 + random.nextInt(4)),
                        OptionalLong.empty(),
                        random.nextBoolean() ? OptionalLong.of(5) : OptionalLong.empty());
        };
    }

    private static ReservationId id(int number) {
        return new ReservationId(new UUID(0, number));
    }
}
