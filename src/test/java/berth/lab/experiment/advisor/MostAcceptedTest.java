package berth.lab.experiment.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import berth.lab.experiment.advisor.MostAccepted.Proof;
import berth.lab.simulation.BrokenRule;
import berth.lab.workload.ReservationRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MostAcceptedTest {

    @BeforeEach
    void needsASolver() {
        assumeTrue(
                MostAccepted.of(1, List.of(request(1, 0, 0, 1, 1, 1))).proof() != Proof.NO_SOLVER,
                "there is no exact solver for this platform");
    }

    @Test
    void refusesALargeRequestInTheWayOfSeveralOthers() {
        assertThat(MostAccepted.of(
                        4,
                        List.of(
                                request(1, 0, 0, 100, 100, 3),
                                request(2, 1, 10, 40, 30, 2),
                                request(3, 2, 10, 40, 30, 2),
                                request(4, 3, 50, 90, 40, 2))))
                .isEqualTo(new MostAccepted(3, Proof.REACHED));
    }

    @Test
    void movesFlexibleRequestsOutOfTheWayOfRigidOnes() {
        var rigid = request(2, 0, 0, 100, 100, 3);

        assertThat(MostAccepted.of(4, List.of(request(1, 0, 0, 200, 100, 2), rigid)))
                .isEqualTo(new MostAccepted(2, Proof.REACHED));
        assertThat(MostAccepted.of(4, List.of(request(1, 0, 0, 199, 100, 2), rigid)))
                .isEqualTo(new MostAccepted(1, Proof.REACHED));
    }

    @Test
    void startsNoRequestBeforeItIsSubmitted() {
        assertThat(MostAccepted.of(4, List.of(request(1, 0, 0, 100, 100, 4), request(2, 50, 0, 150, 100, 4))))
                .isEqualTo(new MostAccepted(1, Proof.REACHED));
        assertThat(MostAccepted.of(4, List.of(request(1, 0, 100, 200, 100, 4), request(2, 0, 0, 150, 100, 4))))
                .isEqualTo(new MostAccepted(2, Proof.REACHED));
    }

    @Test
    void countsNoRequestThatIsSubmittedTooLate() {
        assertThat(MostAccepted.of(4, List.of(request(1, 0, 0, 100, 100, 1), request(2, 1, 0, 100, 100, 1))))
                .isEqualTo(new MostAccepted(1, Proof.REACHED));
    }

    @Test
    void matchesAnExhaustiveSearch() {
        var random = new Random(7);
        List<Integer> refused = new ArrayList<>();
        for (int instance = 0; instance < 60; instance++) {
            List<ReservationRequest> requests = new ArrayList<>();
            for (int job = 1; job <= 6; job++) {
                long duration = 1L + random.nextInt(6);
                long ready = random.nextInt(6);
                requests.add(request(
                        job, ready, ready, ready + duration + random.nextInt(4), duration, 1 + random.nextInt(4)));
            }
            int most = mostByTrying(requests, 0, new int[20]);
            refused.add(requests.size() - most);

            assertThat(MostAccepted.of(4, requests))
                    .as("%s", requests)
                    .isEqualTo(new MostAccepted(most, Proof.REACHED));
        }
        assertThat(refused).contains(0, 1, 2, 3);
    }

    private static int mostByTrying(List<ReservationRequest> requests, int from, int[] taken) {
        if (from == requests.size()) {
            return 0;
        }
        ReservationRequest request = requests.get(from);
        int most = mostByTrying(requests, from + 1, taken);
        for (long start = request.readyTime(); start <= request.deadline() - request.duration(); start++) {
            if (fits(request, start, taken)) {
                take(request, start, taken, request.pes());
                most = Math.max(most, 1 + mostByTrying(requests, from + 1, taken));
                take(request, start, taken, -request.pes());
            }
        }
        return most;
    }

    private static boolean fits(ReservationRequest request, long start, int[] taken) {
        for (long second = start; second < start + request.duration(); second++) {
            if (taken[(int) second] + request.pes() > 4) {
                return false;
            }
        }
        return true;
    }

    private static void take(ReservationRequest request, long start, int[] taken, int pes) {
        for (long second = start; second < start + request.duration(); second++) {
            taken[(int) second] += pes;
        }
    }

    @Test
    void failsIfASettingClaimsToAcceptMore() {
        var most = new MostAccepted(3, Proof.REACHED);

        assertThatCode(() -> most.check(Setting.STANDARD, 3)).doesNotThrowAnyException();
        assertThatThrownBy(() -> most.check(Setting.STANDARD, 4))
                .isInstanceOf(BrokenRule.class)
                .hasMessage(
                        "FIRST_FIT, LEAST_MOVES EARLIEST_DEADLINE_FIRST, LATE accepts 4 requests, but at most 3 can be"
                                + " accepted.");
    }

    private static ReservationRequest request(
            long job, long submit, long readyTime, long deadline, long duration, int pes) {
        return new ReservationRequest(job, submit, readyTime, deadline, duration, pes);
    }
}
