package berth.intake;

import berth.sla.AccountName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Paper 002's Dynamic Priority Scheduler for Advance Reservation ("Algorithm for DPSAR"): the order in which requests that
 * have come together are decided, round by round. Pure; a round takes O(n log n) for n requests.
 *
 * <p>A round has two phases. <em>User priority phase</em>: the users are lined up by priority, the highest first, those of
 * equal priority as they came; each user's requests by their length, the shortest first. <em>Request priority phase</em>: the
 * difference of priority of two neighbours in that line, DPR, is held against the significant difference, SD = levels / 2.
 * Where it is greater, the higher one is decided alone (UHP), else both together (UJP); so the line falls into groups, which
 * are decided one after another. Within a group the shorter request comes first; of two that are as long, that of the higher
 * user; then the earlier one. Of each user in every group but the last a round decides N requests at the most.
 *
 * <p>What the paper leaves open, or says in two ways:
 *
 * <ul>
 *   <li>It compares two users at a time; a chain of neighbours that do not differ much is one group here.
 *   <li>A job's length is its work, since jobs have one PE there: PEs times run time here, see {@link IntakeRequest#length}.
 *   <li>The jobs beyond N "are discarded", and yet pending jobs take part in the next sorting: they are left to the next
 *       round here, never dropped. So are a lower group's never kept for another round: they follow in the same one.
 *   <li>Shortest first alone would let a long request wait for ever behind shorter ones that keep coming. Here what was
 *       held back goes before all that its user asks for later, in the order that it had. So a request that finds k others
 *       of its user in its first round is decided after 1 + ⌈k / N⌉ rounds at the latest, whatever anybody asks for.
 * </ul>
 *
 * @param levels of priority that are told apart, at least 2: twice SD
 * @param jobsPerUser N, at least 1
 */
public record Dpsar(int levels, int jobsPerUser) {

    private static final Comparator<IntakeRequest> ARRIVAL = Comparator.comparing(IntakeRequest::arrivedAt)
            .thenComparing(request -> request.id().toString());

    private static final Comparator<IntakeRequest> SHORTEST =
            Comparator.comparing(IntakeRequest::length).thenComparing(ARRIVAL);

    /**
     * What a round comes to.
     *
     * @param decided the requests that are decided now, in this order
     * @param heldBack those that wait for the next round, each user's in the order in which they will be taken
     */
    public record Round(List<IntakeRequest> decided, List<IntakeRequest> heldBack) {
        public Round {
            decided = List.copyOf(decided);
            heldBack = List.copyOf(heldBack);
        }
    }

    /** A user with what it asks for, in the order in which that is taken; a priority for all of it, the highest. */
    private record User(List<IntakeRequest> requests) {

        int priority() {
            return requests.stream().mapToInt(IntakeRequest::priority).max().orElseThrow();
        }

        IntakeRequest first() {
            return requests.stream().min(ARRIVAL).orElseThrow();
        }
    }

    /** A request in its group. */
    private record Candidate(IntakeRequest request, int userPriority) {
        static final Comparator<Candidate> ORDER = Comparator.comparingDouble(
                        (Candidate candidate) -> candidate.request.length())
                .thenComparing(Candidate::userPriority, Comparator.reverseOrder())
                .thenComparing(Candidate::request, ARRIVAL);
    }

    /** Requests as they came: what is done where there is no order by priority. */
    public static List<IntakeRequest> byArrival(Collection<IntakeRequest> requests) {
        return requests.stream().sorted(ARRIVAL).toList();
    }

    /**
     * The next round.
     *
     * @param heldBack what the round before left, as far as it still waits, in the order in which it was left
     * @param fresh what has come since, in any order
     */
    public Round round(List<IntakeRequest> heldBack, Collection<IntakeRequest> fresh) {
        var groups = groups(users(heldBack, fresh));
        var decided = new ArrayList<IntakeRequest>();
        var rest = new ArrayList<IntakeRequest>();
        for (int i = 0; i < groups.size(); i++) {
            int most = i + 1 < groups.size() ? jobsPerUser : Integer.MAX_VALUE;
            var candidates = new ArrayList<Candidate>();
            for (var user : groups.get(i)) {
                int taken = Math.min(most, user.requests.size());
                int priority = user.priority();
                user.requests.subList(0, taken).forEach(request -> candidates.add(new Candidate(request, priority)));
                rest.addAll(user.requests.subList(taken, user.requests.size()));
            }
            candidates.stream().sorted(Candidate.ORDER).map(Candidate::request).forEach(decided::add);
        }
        return new Round(decided, rest);
    }

    /** The user list, with each user's requests. */
    private static List<User> users(List<IntakeRequest> heldBack, Collection<IntakeRequest> fresh) {
        var requests = new LinkedHashMap<AccountName, List<IntakeRequest>>();
        heldBack.forEach(request -> add(requests, request));
        fresh.stream().sorted(SHORTEST).forEach(request -> add(requests, request));
        return requests.values().stream()
                .map(User::new)
                .sorted(Comparator.comparing(User::priority).reversed().thenComparing(User::first, ARRIVAL))
                .toList();
    }

    private static void add(LinkedHashMap<AccountName, List<IntakeRequest>> requests, IntakeRequest request) {
        requests.computeIfAbsent(request.origin().owner(), _ -> new ArrayList<>())
                .add(request);
    }

    private List<List<User>> groups(List<User> users) {
        var groups = new ArrayList<List<User>>();
        for (int i = 0; i < users.size(); i++) {
            if (i == 0 || differs(users.get(i - 1), users.get(i))) {
                groups.add(new ArrayList<>());
            }
            groups.getLast().add(users.get(i));
        }
        return groups;
    }

    /** DPR > SD. */
    private boolean differs(User higher, User lower) {
        return 2 * (higher.priority() - lower.priority()) > levels;
    }
}
