package berth.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import berth.slurm.MachineChange.Create;
import berth.slurm.MachineChange.Delete;
import berth.slurm.MachineChange.Update;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReconciliationTest {

    private static final long NOW = 10_000;
    private static final long AHEAD = NOW + 1_000;
    private static final long MARGIN = 5;

    private static MachineReservation reservation(String name, long start, long end, String... nodes) {
        return new MachineReservation(
                name, start, end, new TreeSet<>(Arrays.asList(nodes)), new TreeSet<>(List.of("ada")));
    }

    private static List<MachineChange> acts(List<MachineReservation> wanted, List<MachineReservation> present) {
        return Reconciliation.changes(wanted, present, MARGIN, NOW, AHEAD);
    }

    @Test
    void aCorrectReservationIsLeftAlone() {
        var ahead = reservation("a", NOW + 10, NOW + 20, "n1");
        // Slurm determines when it began
        var running = reservation("b", NOW - 50, NOW + 20, "n2");

        assertThat(acts(List.of(ahead, running), List.of(ahead, reservation("b", NOW - 49, NOW + 20, "n2"))))
                .isEmpty();
    }

    @Test
    void deletionsAndMovesComeBeforeCreations() {
        var gone = reservation("gone", NOW + 10, NOW + 20, "n1");
        var had = reservation("moves", NOW + 10, NOW + 20, "n2");
        var moves = reservation("moves", NOW + 30, NOW + 40, "n2");
        var late = reservation("late", NOW + 20, NOW + 40, "n1");
        var soon = reservation("soon", NOW + 10, NOW + 20, "n2");

        assertThat(acts(List.of(late, soon, moves), List.of(had, gone)))
                .containsExactly(new Delete(gone), new Update(had, moves), new Create(soon), new Create(late));
    }

    @Test
    void changedUsersAndNodesMakeAnUpdate() {
        var wanted = reservation("a", NOW - 10, NOW + 20, "n1");
        var others =
                new MachineReservation("a", NOW - 10, NOW + 20, wanted.nodes(), new TreeSet<>(List.of("ada", "bob")));

        assertThat(acts(List.of(wanted), List.of(others))).containsExactly(new Update(others, wanted));
        assertThat(acts(List.of(wanted), List.of(reservation("a", NOW - 10, NOW + 20, "n2"))))
                .hasSize(1)
                .hasOnlyElementsOfType(Update.class);
    }

    @Test
    void anEndedReservationStaysUnlessTheNextOwnerNeedsItsNodes() {
        var over = reservation("a", NOW - 10, NOW + MARGIN, "n1");

        assertThat(acts(List.of(), List.of(over))).isEmpty();
        assertThat(acts(List.of(reservation("b", NOW, NOW + 20, "n2")), List.of(over)))
                .hasOnlyElementsOfType(Create.class);
        assertThat(acts(List.of(reservation("b", NOW, NOW + 20, "n1")), List.of(over)))
                .startsWith(new Delete(over));
    }

    @Test
    void aReservationWhoseEndBerthMayHaveSeenFirstEndsByItself() {
        assertThat(acts(List.of(), List.of(reservation("a", NOW - 10, NOW + MARGIN + 5, "n1"))))
                .isEmpty();
        assertThat(acts(List.of(), List.of(reservation("a", NOW - 10, NOW + MARGIN + 6, "n1"))))
                .hasOnlyElementsOfType(Delete.class);
    }

    @Test
    void endedReservationsAreLeftToSlurm() {
        assertThat(acts(List.of(), List.of(reservation("a", NOW - 20, NOW, "n1"))))
                .isEmpty();
        assertThat(acts(List.of(reservation("a", NOW - 20, NOW, "n1")), List.of()))
                .isEmpty();
    }

    @Test
    void aFarReservationIsNotCreatedYetButKeptIfItExists() {
        var far = reservation("a", AHEAD + 1, AHEAD + 2, "n1");
        var wasNear = reservation("a", AHEAD - 1, AHEAD + 2, "n1");

        assertThat(acts(List.of(far), List.of())).isEmpty();
        assertThat(acts(List.of(far), List.of(wasNear))).containsExactly(new Update(wasNear, far));
    }

    @Test
    void aReservationThatBeganOnlyInSlurmIsDeletedAndCreatedAgain() {
        var begun = reservation("a", NOW - 1, NOW + 20, "n1");

        assertThat(acts(List.of(reservation("a", NOW + 10, NOW + 30, "n1")), List.of(begun)))
                .containsExactly(new Delete(begun));
    }

    /** Slurm refuses reservations that began more than ten minutes ago. */
    @Test
    void aReservationThatBeganLongAgoBeginsLaterInSlurm() {
        var wanted = reservation("a", NOW - 5_000, NOW + 20, "n1");

        assertThat(acts(List.of(wanted), List.of())).containsExactly(new Create(wanted.at(NOW - 540, NOW + 20)));
    }

    @Test
    void noMoreReservationsAreCreatedThanSlurmTakes() {
        var many = IntStream.range(0, 6_000)
                .mapToObj(number -> reservation("r" + number, NOW + 1, NOW + 2, "n" + number))
                .toList();

        assertThat(acts(many, List.of())).hasSize(5_000);
        assertThat(acts(many, many.subList(0, 4_990))).hasSize(10);
    }
}
