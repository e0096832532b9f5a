package berth.intake;

import berth.sla.AccountName;
import berth.sla.ServiceClass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The order in which requests that arrive together are decided, round by round: paper 002's Dynamic Priority Scheduler for Advance
 * Reservation ("Algorithm for DPSAR"). It has no state. A round of n requests takes O(n log n).
 *
 * <p>A round has two phases. The <em>user priority phase</em> sorts the users by priority, highest first, and users of equal priority by
 * arrival; it sorts the requests of each user by length, shortest first. The <em>request priority phase</em> compares the difference in
 * priority of two neighbours, DPR, with the significant difference, SD = levels / 2. If DPR is greater, the higher user is decided alone
 * (UHP), otherwise the two are decided together (UJP). The sorted users thus form groups, which are decided one after another. Within a
 * group, shorter requests come first, then those of the higher user, then earlier ones. A round decides at most N requests of each user in
 * every group except the last.
 *
 * <p>Berth adds a rule for requests of the same length whose users have the same priority: {@link ServiceClass#PREMIUM} comes before
 * STANDARD, because it pays more (paper 003 prefers the most profitable request). The paper has no classes.
 *
 * <p>The paper leaves some points open or contradicts itself. Here:
 *
 * <ul>
 *   <li>A chain of neighbours without a significant difference is one group. The paper compares only two users at a time.
 *   <li>The length of a request is PEs times run time, see {@link IntakeRequest#length}. In the paper a job has one PE.
 *   <li>Requests beyond N wait for the next round and are never dropped. The paper says that they "are discarded", and also that pending
 *       jobs take part in the next sorting. Lower groups follow in the same round.
 *   <li>Requests that were held back precede later requests of the same user and keep their order. Otherwise short requests that keep
 *       arriving could delay a long one for ever. A request that finds k others of its user in its first round is therefore decided after at most
 *       1 + ⌈k / N⌉ rounds, whatever others request.
 * </ul>
 *
 * @param levels the number of priority levels, at least 2; twice SD
 * @param jobsPerUser N, at least 1
 */
public record Dpsar(int levels, int jobsPerUser) {

    private static final Comparator<IntakeRequest> ARRIVAL = Comparator.comparing(IntakeRequest::arrivedAt)
            .thenComparing(request -> request.id().toString());

    private static final Comparator<IntakeRequest> SHORTEST =
            Comparator.comparing(IntakeRequest::length).thenComparing(ARRIVAL);

    /**
     * The result of a round.
     *
     * @param decided the requests to decide now, in order
     * @param heldBack the requests that wait for the next round; those of each user are in the order in which they will be decided
     */
    public record Round(List<IntakeRequest> decided, List<IntakeRequest> heldBack) {
        public Round {
            decided = List.copyOf(decided);
            heldBack = List.copyOf(heldBack);
        }
    }

    /** A user with its requests in the order in which they are taken. The priority of the user is the highest of its requests. */
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
                .thenComparing(candidate -> candidate.request.origin().serviceClass() != ServiceClass.PREMIUM)
                .thenComparing(Candidate::request, ARRIVAL);
    }

    /** Returns the requests in the order of arrival, for an intake without priorities. */
    public static List<IntakeRequest> byArrival(Collection<IntakeRequest> requests) {
        return requests.stream().sorted(ARRIVAL).toList();
    }

    /**
     * Returns the next round.
     *
     * @param heldBack the requests that the previous round held back and that still wait, in its order
     * @param fresh the requests that have arrived since then, in any order
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

    /** Returns the sorted users with the requests of each. */
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

    /** Whether DPR exceeds SD. */
    private boolean differs(User higher, User lower) {
        return 2 * (higher.priority() - lower.priority()) > levels;
    }
}
