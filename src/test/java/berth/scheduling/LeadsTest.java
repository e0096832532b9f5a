package berth.scheduling;

import static berth.scheduling.Event.Type.COMPLETED;
import static berth.scheduling.Event.Type.ENDING;
import static berth.scheduling.Event.Type.STARTED;
import static berth.scheduling.Event.Type.STARTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Confirm;
import berth.sla.AccountName;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** Announcements of starts and ends. */
class LeadsTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void withoutLeadsNothingIsAnnounced() {
        cluster.grant(Request.of(1, 8, 10).start(20));

        assertThat(told(cluster.at(30).advance()))
                .containsExactly(tuple(20L, STARTED, List.of()), tuple(30L, COMPLETED, List.of()));
    }

    @Test
    void aStartAndAnEndAreAnnouncedOnceInEachLead() {
        cluster.announcing(5L, 12L);
        cluster.grant(Request.of(1, 8, 100).start(20));

        assertThat(told(cluster.at(7).advance())).isEmpty();
        assertThat(told(cluster.at(8).advance())).containsExactly(tuple(8L, STARTING, List.of(12L)));
        assertThat(told(cluster.at(14).advance())).isEmpty();
        assertThat(told(cluster.at(20).advance()))
                .containsExactly(tuple(15L, STARTING, List.of(5L)), tuple(20L, STARTED, List.of()));
        assertThat(told(cluster.at(200).advance()))
                .containsExactly(
                        tuple(108L, ENDING, List.of(12L)),
                        tuple(115L, ENDING, List.of(5L)),
                        tuple(120L, COMPLETED, List.of()));
    }

    @Test
    void aNearStartIsAnnouncedAtOnceForAllLeadsTogether() {
        cluster.announcing(5L, 50L, 60L);
        cluster.at(10);
        cluster.grant(Request.of(1, 8, 30).start(20));

        assertThat(told(cluster.advance())).containsExactly(tuple(10L, STARTING, List.of(50L, 60L)));
        // the end of a run is not announced before the run begins
        assertThat(told(cluster.at(20).advance()))
                .containsExactly(
                        tuple(15L, STARTING, List.of(5L)),
                        tuple(20L, STARTED, List.of()),
                        tuple(20L, ENDING, List.of(50L, 60L)));
    }

    @Test
    void anImmediateStartIsAnnounced() {
        cluster.announcing(5L);
        cluster.at(10);
        cluster.grant(Request.of(1, 8, 30));

        assertThat(told(cluster.advance()))
                .containsExactly(tuple(10L, STARTING, List.of(5L)), tuple(10L, STARTED, List.of()));
    }

    @Test
    void aMovedStartIsAnnouncedAgain() {
        cluster.announcing(10L);
        var granted = cluster.grant(Request.of(1, 8, 10).ready(20).deadline(500));
        assertThat(told(cluster.at(12).advance())).containsExactly(tuple(10L, STARTING, List.of(10L)));

        cluster.grant(Request.of(1, 8, 10).ready(50).deadline(500).renegotiate());
        assertThat(cluster.find(granted.id()).slot().start()).isEqualTo(50);
        assertThat(told(cluster.at(60).advance()))
                .containsExactly(
                        tuple(40L, STARTING, List.of(10L)),
                        tuple(50L, STARTED, List.of()),
                        tuple(50L, ENDING, List.of(10L)),
                        tuple(60L, COMPLETED, List.of()));
    }

    @Test
    void aStartMovedAwayAndBackIsAnnouncedOnce() {
        cluster.announcing(10L);
        cluster.grant(Request.of(1, 8, 10).ready(20).deadline(500));
        assertThat(told(cluster.at(12).advance())).hasSize(1);

        cluster.grant(Request.of(1, 8, 10).ready(50).deadline(500).renegotiate());
        assertThat(cluster.advance()).isEmpty();
        cluster.grant(Request.of(1, 8, 10).ready(20).deadline(40).renegotiate());

        assertThat(told(cluster.at(20).advance()).getFirst()).isEqualTo(tuple(20L, STARTED, List.of()));
    }

    @Test
    void aCancelledReservationIsNotAnnounced() {
        cluster.announcing(10L);
        var granted = cluster.grant(Request.of(1, 8, 10).start(50));
        cluster.grant(new Cancel(new Target(granted.id(), OptionalInt.empty())));

        assertThat(cluster.at(100).advance()).isEmpty();
    }

    @Test
    void aHoldIsAnnouncedOnceItIsConfirmed() {
        cluster.announcing(10L);
        var held = cluster.grant(Request.of(1, 8, 10).start(20).hold(18));
        assertThat(cluster.at(15).advance()).isEmpty();

        cluster.grant(new Confirm(new Target(held.id(), OptionalInt.empty())));

        assertThat(told(cluster.advance())).containsExactly(tuple(15L, STARTING, List.of(10L)));
    }

    @Test
    void aRunInPartsStartsWithItsFirstAndEndsWithItsLast() {
        cluster.announcing(3L);
        cluster.grant(Request.of(9, 8, 5).start(30));
        cluster.grant(Request.of(1, 8, 20).ready(20).deadline(60).split(2, "0.5", false));

        assertThat(announced(cluster.at(100).advance()))
                .containsExactly(
                        tuple(17L, STARTING, List.of(3L)),
                        // the other one, which is between its parts
                        tuple(27L, STARTING, List.of(3L)),
                        tuple(32L, ENDING, List.of(3L)),
                        tuple(42L, ENDING, List.of(3L)));
    }

    @Test
    void newLeadsApplyToExistingReservations() {
        cluster.grant(Request.of(1, 8, 10).start(50));
        cluster.grant(Request.of(2, 8, 10).start(20));
        cluster.at(15).announcing(10L);

        assertThat(told(cluster.advance())).containsExactly(tuple(15L, STARTING, List.of(10L)));
        assertThat(announced(cluster.at(50).advance()))
                .containsExactly(
                        tuple(20L, ENDING, List.of(10L)),
                        tuple(40L, STARTING, List.of(10L)),
                        tuple(50L, ENDING, List.of(10L)));
    }

    @Test
    void removedLeadsAreNotAnnounced() {
        cluster.announcing(10L);
        cluster.grant(Request.of(1, 8, 10).start(50));
        cluster.at(20).announcing();

        assertThat(told(cluster.at(60).advance()))
                .containsExactly(tuple(50L, STARTED, List.of()), tuple(60L, COMPLETED, List.of()));
    }

    @Test
    void afterADowntimeMissedAnnouncementsFollowInOrder() {
        cluster.announcing(10L);
        cluster.grant(Request.of(1, 4, 10).start(20));
        cluster.grant(Request.of(2, 4, 100).start(25));

        // at the start of a desk, which knows the time of the last event
        var leads = Leads.NONE.asking(new Leads.Requests(Set.of(10L), Map.of()), 0);
        var rebuilt = ClusterSchedule.of(
                        cluster.schedule().cluster(),
                        cluster.schedule().reservations(),
                        List.of(),
                        List.of(),
                        List.of(),
                        0)
                .announcing(leads);

        assertThat(rebuilt).isEqualTo(cluster.schedule());
        assertThat(new AdvanceClock(Integer.MAX_VALUE)
                        .decide(new Basis(rebuilt, 60)).events().stream().map(event -> tuple(event.at(), event.type())))
                .containsExactly(
                        tuple(10L, STARTING),
                        tuple(15L, STARTING),
                        tuple(20L, STARTED),
                        tuple(20L, ENDING),
                        tuple(25L, STARTED),
                        tuple(30L, COMPLETED));
    }

    @Test
    void onlyTheAccountThatSetLeadsGetsThem() {
        var asked = new Leads.Requests(Set.of(), Map.of(new AccountName("grace"), Set.of(10L)));
        var schedule = cluster.schedule().announcing(Leads.NONE.asking(asked, 0));

        assertThat(schedule.leads().of(new AccountName("ada"))).isEmpty();
        assertThat(schedule.leads().of(new AccountName("grace"))).hasSize(1);
    }

    private static List<Tuple> announced(List<Event> events) {
        return told(events.stream()
                .filter(event -> event.type() == STARTING || event.type() == ENDING)
                .toList());
    }

    private static List<Tuple> told(List<Event> events) {
        return events.stream()
                .map(event -> tuple(event.at(), event.type(), leads((ReservationEvent) event)))
                .toList();
    }

    private static List<Long> leads(ReservationEvent event) {
        return event.reservation().leadsJustTold();
    }
}
