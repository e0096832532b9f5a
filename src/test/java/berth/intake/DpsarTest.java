package berth.intake;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DpsarTest {

    private int number;

    /** Claim 002-C7: three users of priority 9, 3 and 2, with three, four and four jobs of lengths L1 to L4. */
    @ParameterizedTest
    @ValueSource(ints = {2, 6, 10, 11})
    void theExampleOfThePaperHasTheOrderOfThePaper(int levels) {
        var requests = new ArrayList<IntakeRequest>();
        for (int length = 4; length >= 1; length--) {
            if (length < 4) {
                requests.add(request("G1", 9, length));
            }
            requests.add(request("G3", 2, length));
            requests.add(request("G2", 3, length));
        }

        var round = new Dpsar(levels, 3).round(List.of(), requests);

        assertThat(round.decided().stream().map(DpsarTest::name))
                .containsExactly(
                        "G1L1", "G1L2", "G1L3", "G2L1", "G3L1", "G2L2", "G3L2", "G2L3", "G3L3", "G2L4", "G3L4");
        assertThat(round.heldBack()).isEmpty();
    }

    @Test
    void theCapHoldsForEachUserOfEveryGroupButTheLast() {
        var requests = Stream.of(
                        requests("high", 10, 4),
                        requests("close", 6, 4),
                        requests("low", 0, 5),
                        requests("lowest", 0, 1))
                .flatMap(List::stream)
                .toList();

        var round = new Dpsar(10, 3).round(List.of(), requests);

        assertThat(round.decided().stream().map(DpsarTest::name))
                .containsExactly(
                        "highL1",
                        "closeL1",
                        "highL2",
                        "closeL2",
                        "highL3",
                        "closeL3",
                        "lowL1",
                        "lowestL1",
                        "lowL2",
                        "lowL3",
                        "lowL4",
                        "lowL5");
        assertThat(round.heldBack().stream().map(DpsarTest::name)).containsExactly("highL4", "closeL4");
    }

    @Test
    void neighboursThatDifferByJustTheSignificantDifferenceAreDecidedTogether() {
        var high = request("high", 8, 2);
        var low = request("low", 3, 1);

        assertThat(new Dpsar(10, 3).round(List.of(), List.of(high, low)).decided())
                .containsExactly(low, high);
        assertThat(new Dpsar(9, 3).round(List.of(), List.of(high, low)).decided())
                .containsExactly(high, low);
    }

    @Test
    void aChainOfNeighboursThatDifferLittleIsOneGroup() {
        var requests = List.of(request("a", 9, 3), request("b", 5, 2), request("c", 1, 1));

        assertThat(new Dpsar(8, 3).round(List.of(), requests).decided()).containsExactlyElementsOf(requests.reversed());
    }

    @Test
    void amongEquallyLongRequestsTheHigherUserComesFirstThenTheEarlierRequest() {
        var early = request("early", 4, 1);
        var late = request("late", 4, 1);
        var high = request("high", 5, 1);

        assertThat(new Dpsar(10, 3).round(List.of(), List.of(late, early, high)).decided())
                .containsExactly(high, early, late);
    }

    @Test
    void premiumComesFirstAmongOtherwiseEqualRequests() {
        var early = request("early", 4, 1);
        var shorter = request("shorter", 3, 1);
        var premium = premium("premium", 4, 1);
        var longer = premium("longer", 5, 2);

        assertThat(new Dpsar(10, 3)
                        .round(List.of(), List.of(early, shorter, premium, longer))
                        .decided())
                .containsExactly(premium, early, shorter, longer);
    }

    @Test
    void theLengthOfARequestIsItsWorkInPeSeconds() {
        var wide = request("wide", 5, 4, 10);
        var narrow = request("narrow", 5, 1, 30);

        assertThat(new Dpsar(10, 3).round(List.of(), List.of(wide, narrow)).decided())
                .containsExactly(narrow, wide);
    }

    @Test
    void requestsHeldBackGoBeforeLaterOnesOfTheirUser() {
        var dpsar = new Dpsar(10, 1);
        var low = request("low", 1, 9);
        var first = dpsar.round(List.of(), List.of(request("high", 10, 5), request("high", 10, 7), low));
        var shorter = request("high", 10, 1);
        var next = dpsar.round(first.heldBack(), List.of(shorter, request("low", 1, 2)));

        assertThat(first.heldBack().stream().map(DpsarTest::name)).containsExactly("highL7");
        assertThat(next.decided().stream().map(DpsarTest::name)).containsExactly("highL7", "lowL2");
        assertThat(next.heldBack()).containsExactly(shorter);
    }

    @Test
    void aRoundWithoutRequestsDecidesNothing() {
        assertThat(new Dpsar(10, 3).round(List.of(), List.of())).isEqualTo(new Dpsar.Round(List.of(), List.of()));
    }

    /** Checks that no request starves, whatever other users or the same user request meanwhile. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aRequestWaitsOnlyForEarlierRequestsOfItsUser(long seed) {
        var random = new Random(seed);
        int cap = 1 + random.nextInt(4);
        var dpsar = new Dpsar(2 + random.nextInt(9), cap);
        var latest = new HashMap<IntakeRequest, Integer>();
        List<IntakeRequest> heldBack = List.of();
        for (int number = 1; number <= 60 || !latest.isEmpty(); number++) {
            var fresh = number <= 60 ? hostile(random) : List.<IntakeRequest>of();
            expect(fresh, heldBack, number, cap, latest);
            var round = dpsar.round(heldBack, fresh);

            assertThat(Stream.concat(round.decided().stream(), round.heldBack().stream()))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(heldBack.stream(), fresh.stream()).toList());
            for (var request : round.decided()) {
                assertThat(number).as("round that decides %s", request).isLessThanOrEqualTo(latest.remove(request));
            }
            for (var request : round.heldBack()) {
                assertThat(number).as("round that holds back %s", request).isLessThan(latest.get(request));
            }
            heldBack = round.heldBack();
        }
    }

    /**
     * Records the last round in which each request must be decided: for k other requests of its user, within 1 + ⌈k / N⌉ rounds, of which
     * {@code number} is the first.
     */
    private static void expect(
            List<IntakeRequest> fresh,
            List<IntakeRequest> heldBack,
            int number,
            int cap,
            Map<IntakeRequest, Integer> latest) {
        for (var request : fresh) {
            var owner = request.origin().owner();
            long others = Stream.concat(heldBack.stream(), fresh.stream())
                            .filter(other -> other.origin().owner().equals(owner))
                            .count()
                    - 1;
            latest.put(request, number + (int) ((others + cap - 1) / cap));
        }
    }

    /** Draws requests from a user of each priority: usually few, sometimes many, and sometimes with long runs. */
    private List<IntakeRequest> hostile(Random random) {
        var requests = new ArrayList<IntakeRequest>();
        for (int priority : new int[] {10, 9, 5, 4, 1}) {
            int asked = random.nextInt(random.nextInt(10) == 0 ? 12 : 4);
            for (int i = 0; i < asked; i++) {
                requests.add(
                        request("of " + priority, priority, random.nextInt(8) == 0 ? 1000 : 1 + random.nextInt(5)));
            }
        }
        Collections.shuffle(requests, random);
        return requests;
    }

    private List<IntakeRequest> requests(String owner, int priority, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(length -> request(owner, priority, length))
                .toList();
    }

    private IntakeRequest request(String owner, int priority, long length) {
        return request(owner, priority, 1, length);
    }

    private IntakeRequest request(String owner, int priority, int pes, long duration) {
        return request(owner, ServiceClass.STANDARD, priority, pes, duration);
    }

    private IntakeRequest premium(String owner, int priority, long length) {
        return request(owner, ServiceClass.PREMIUM, priority, 1, length);
    }

    private IntakeRequest request(String owner, ServiceClass serviceClass, int priority, int pes, long duration) {
        return IntakeRequest.pending(
                new ReservationId(new UUID(0x7000, ++number)),
                new ClusterId("sp2"),
                new Origin(new AccountName(owner), serviceClass),
                priority,
                RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), duration, pes),
                OptionalLong.empty(),
                number);
    }

    private static String name(IntakeRequest request) {
        return request.origin().owner() + "L" + request.terms().duration();
    }
}
