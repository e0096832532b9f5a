package berth.scheduling;

import berth.batch.BatchJob;
import berth.batch.JobSource;
import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.FairUse;
import berth.sla.Part;
import berth.sla.Violation;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How much more an account may reserve, hold and have waiting.
 *
 * @param limits the account's limits over all clusters
 * @param elsewhere what the account has on other clusters of this Berth
 * @param mirrored its reservations at other Berths, each as one part
 * @param past its runs of the last seven days; needed only if the limits {@linkplain berth.sla.FairUse#countsThePast count the past}
 */
public record Allowance(AccountLimits limits, Holding elsewhere, List<Part> mirrored, Past past) {

    /** No limits. */
    public static final Allowance UNLIMITED =
            new Allowance(AccountLimits.NONE, Holding.NOTHING, List.of(), Past.NOTHING);

    /**
     * The runs of an account that have ended.
     *
     * @param ended the recorded ones, on all clusters
     * @param before what was live on the cluster before they were read, of which some may have ended since
     */
    public record Past(List<PastRun> ended, List<Reservation> before) {

        /** No past. */
        public static final Past NOTHING = new Past(List.of(), List.of());

        /** Returns the parts that had PEs of each run, without the runs with these ids. */
        private Stream<List<Part>> without(Set<ReservationId> live, long now) {
            var known = Stream.concat(live.stream(), ended.stream().map(PastRun::id))
                    .collect(Collectors.toSet());
            return Stream.concat(
                    ended.stream().filter(run -> !live.contains(run.id())).map(PastRun::parts),
                    before.stream()
                            .filter(reservation -> !known.contains(reservation.id()))
                            .map(reservation -> reservation.parts().stream()
                                    .filter(part -> part.slot().start() < now)
                                    .map(part -> part.until(now))
                                    .toList())
                            .filter(parts -> !parts.isEmpty()));
        }
    }

    /**
     * A run that has ended.
     *
     * @param parts the parts that had PEs, in order; at least one
     */
    public record PastRun(ReservationId id, List<Part> parts) {}

    /**
     * The bookings of an account.
     *
     * @param reservations live reservations
     * @param jobs waiting and running jobs, except those of external batch systems
     * @param requests requests that await a decision or wait for room
     */
    public record Holding(List<Reservation> reservations, List<BatchJob> jobs, List<IntakeRequest> requests) {

        static final Holding NOTHING = new Holding(List.of(), List.of(), List.of());

        /** Returns what an account has on a cluster. */
        public static Holding of(ClusterSchedule schedule, AccountName owner) {
            return new Holding(
                    List.copyOf(schedule.reservationsOf(owner)),
                    schedule.jobs().all().stream()
                            .filter(job -> job.owner().equals(owner) && job.source() == JobSource.BERTH)
                            .toList(),
                    joined(
                            schedule.requests().stream()
                                    .filter(request -> request.origin().owner().equals(owner))
                                    .toList(),
                            schedule.waiting().of(owner)));
        }

        /** Returns the sum of both. */
        public Holding and(Holding other) {
            return new Holding(
                    joined(reservations, other.reservations),
                    joined(jobs, other.jobs),
                    joined(requests, other.requests));
        }

        private static <T> List<T> joined(List<T> one, List<T> other) {
            return Stream.concat(one.stream(), other.stream()).toList();
        }

        /** Returns a holding of waiting requests only. */
        public static Holding waiting(List<IntakeRequest> requests) {
            return new Holding(List.of(), List.of(), requests);
        }

        /** Returns the holding without one reservation and without requests, which are checked again when it is their turn. */
        private Holding bookedBeside(Optional<ReservationId> id) {
            return new Holding(
                    reservations.stream()
                            .filter(reservation ->
                                    !Optional.of(reservation.id()).equals(id))
                            .toList(),
                    jobs,
                    List.of());
        }
    }

    /** Work without a place, which may need its PEs at any time. */
    private record Waiting(long pes, double peSeconds) {}

    /** Creates the allowance of an account that has only these reservations on other clusters. */
    public Allowance(AccountLimits limits, List<Reservation> elsewhere) {
        this(limits, new Holding(elsewhere, List.of(), List.of()), List.of(), Past.NOTHING);
    }

    /**
     * Returns the limit that a run at another Berth would exceed; empty if there is none. {@code elsewhere} must hold everything on this
     * Berth.
     *
     * @param hold the length of the hold in seconds; empty if it is not held
     */
    public Optional<Violation> exceeded(OptionalLong hold, Part there, long now) {
        var others = elsewhere.bookedBeside(Optional.empty());
        return tooLong(hold.orElse(0))
                .or(() -> tooManyLive(others, 1))
                .or(() -> tooManyAhead(others, isAhead(there, now) ? 1 : 0, now))
                .or(() -> tooMuch(others, List.of(there), Optional.empty(), now))
                .or(() -> unfair(others, Optional.empty(), List.of(there), now));
    }

    /**
     * Returns the limit that a request without a cluster would exceed; empty if there is none. {@code elsewhere} must hold everything on
     * this Berth.
     */
    public Optional<Violation> exceeded(IntakeRequest request, long now) {
        return exceeded(elsewhere, request, now);
    }

    /** Returns the limit that a request would exceed by waiting on the cluster; empty if there is none. */
    public Optional<Violation> exceeded(ClusterSchedule schedule, IntakeRequest request, long now) {
        return limits.equals(AccountLimits.NONE)
                ? Optional.empty()
                : exceeded(with(schedule, request.origin().owner()), request, now);
    }

    private Optional<Violation> exceeded(Holding has, IntakeRequest request, long now) {
        int pending = has.requests.size();
        return more("pendingRequests", pending, limits.pendingRequests(), "requests wait already; withdraw one")
                .or(() -> tooManyLive(has, 1))
                .or(() -> tooManyAhead(has, 1, now))
                .or(() -> tooMuch(has, List.of(), Optional.of(waiting(request)), now));
    }

    /** Returns the limit that a batch job would exceed by waiting on the cluster; empty if there is none. */
    public Optional<Violation> exceeded(ClusterSchedule schedule, AccountName owner, int pes, long estimate, long now) {
        if (limits.equals(AccountLimits.NONE)) {
            return Optional.empty();
        }
        var has = with(schedule, owner).bookedBeside(Optional.empty());
        return more("jobs", has.jobs.size(), limits.jobs(), "jobs wait or run already; cancel one")
                .or(() -> tooMuch(has, List.of(), Optional.of(new Waiting(pes, (double) pes * estimate)), now));
    }

    /**
     * Returns the limit that a reservation would exceed; empty if there is none.
     *
     * @param schedule the schedule of its cluster
     * @param id the id of the reservation, if it exists
     * @param parts its new place
     */
    public Optional<Violation> exceeded(
            ClusterSchedule schedule, ReservationId id, AccountName owner, List<Part> parts, long now) {
        if (limits.equals(AccountLimits.NONE)) {
            return Optional.empty();
        }
        var others = with(schedule, owner).bookedBeside(Optional.of(id));
        boolean isOwned = schedule.find(id)
                .filter(present -> present.origin().owner().equals(owner))
                .isPresent();
        int further = isOwned ? 0 : 1;
        return tooManyLive(others, further)
                .or(() -> tooManyAhead(others, isAhead(parts.getFirst(), now) ? further : 0, now))
                .or(() -> tooMuch(others, parts, Optional.empty(), now))
                .or(() -> unfair(others, Optional.of(id), parts, now));
    }

    /** Returns the limit that a new hold of {@code hold} seconds would exceed; empty if there is none. */
    public Optional<Violation> exceeded(ClusterSchedule schedule, AccountName owner, long hold) {
        if (limits.equals(AccountLimits.NONE)) {
            return Optional.empty();
        }
        return tooLong(hold).or(() -> {
            long held = with(schedule, owner).reservations.stream()
                    .filter(reservation -> reservation.state() == ReservationState.HELD)
                    .count();
            return more("holds", held, limits.holds(), "are held already; confirm or cancel one");
        });
    }

    private Optional<Violation> tooLong(long hold) {
        return hold > limits.maxHold().orElse(Long.MAX_VALUE)
                ? violated(
                        "maxHold",
                        "a hold may last at most %d s; choose a shorter hold"
                                .formatted(limits.maxHold().getAsLong()))
                : Optional.empty();
    }

    private Holding with(ClusterSchedule schedule, AccountName owner) {
        return elsewhere.and(Holding.of(schedule, owner));
    }

    private Optional<Violation> tooManyLive(Holding has, int further) {
        long live = has.reservations.size() + has.requests.size() + mirrored.size();
        return further == 0
                ? Optional.empty()
                : more(
                        "activeReservations",
                        live,
                        limits.activeReservations(),
                        "reservations and requests are live already; end one");
    }

    /** Returns a violation if too many reservations and requests would begin later than now. */
    private Optional<Violation> tooManyAhead(Holding has, int further, long now) {
        long ahead = Stream.concat(
                                has.reservations.stream()
                                        .map(reservation -> reservation.parts().getFirst()),
                                mirrored.stream())
                        .filter(part -> isAhead(part, now))
                        .count()
                + has.requests.size();
        return further == 0
                ? Optional.empty()
                : more(
                        "startsAhead",
                        ahead,
                        limits.fairUse().startsAhead(),
                        "reservations and requests have not begun yet; wait for one to begin, or cancel one");
    }

    private static boolean isAhead(Part first, long now) {
        return first.slot().start() > now;
    }

    /** Returns the rule of fair use that a run would break; empty if there is none. */
    private Optional<Violation> unfair(Holding has, Optional<ReservationId> id, List<Part> parts, long now) {
        if (!limits.fairUse().countsThePast()) {
            return Optional.empty();
        }
        if (past.ended.size() > FairUse.MAX_RUNS) {
            return violated(
                    limits.fairUse().peHoursPerWeek().isPresent() ? "peHoursPerWeek" : "coolDown",
                    "more than %d runs of the account have ended in the last seven days, which are too many to count; wait, or book fewer and longer runs"
                            .formatted(FairUse.MAX_RUNS));
        }
        var live = has.reservations.stream().map(Reservation::id).collect(Collectors.toSet());
        id.ifPresent(live::add);
        var others = Stream.of(
                        has.reservations.stream().map(Reservation::parts),
                        mirrored.stream().map(List::of),
                        past.without(live, now))
                .flatMap(all -> all)
                .toList();
        return new FairUseCheck(limits.fairUse(), others).exceeded(parts);
    }

    private static Optional<Violation> more(String limit, long there, OptionalInt most, String what) {
        return there >= most.orElse(Integer.MAX_VALUE)
                ? violated(limit, "%d %s, or ask for a higher limit".formatted(there, what))
                : Optional.empty();
    }

    /**
     * Returns the limit on PEs or PE-hours that would be exceeded; empty if neither would be.
     *
     * @param parts the place of a new reservation; empty if there is none
     * @param newcomer the size of a new waiting job or request
     */
    private Optional<Violation> tooMuch(Holding has, List<Part> parts, Optional<Waiting> newcomer, long now) {
        if (limits.pes().isEmpty() && limits.peHours().isEmpty()) {
            return Optional.empty();
        }
        var taken = Stream.of(
                        mirrored.stream(),
                        has.reservations.stream().flatMap(reservation -> reservation.parts().stream()),
                        has.jobs.stream().filter(job -> job.run().isPresent()).map(BatchJob::part))
                .flatMap(all -> all)
                .toList();
        var waiting = Stream.of(
                        has.jobs.stream()
                                .filter(job -> job.run().isEmpty())
                                .map(job -> new Waiting(job.pes(), (double) job.pes() * job.estimate())),
                        has.requests.stream().map(Allowance::waiting),
                        newcomer.stream())
                .flatMap(all -> all)
                .toList();
        return tooManyPes(taken, parts, waiting, now).or(() -> tooManyPeHours(taken, parts, waiting, now));
    }

    private Optional<Violation> tooManyPes(List<Part> taken, List<Part> parts, List<Waiting> waiting, long now) {
        long placed = parts.isEmpty()
                ? mostAtOneTime(taken, new Slot(now, Long.MAX_VALUE))
                : parts.stream()
                        .mapToLong(part -> mostAtOneTime(taken, part.slot()) + part.pes())
                        .max()
                        .orElseThrow();
        long most = placed + waiting.stream().mapToLong(Waiting::pes).sum();
        return most > limits.pes().orElse(Integer.MAX_VALUE)
                ? violated("pes", "%d PEs would be taken at one time; choose another time or fewer PEs".formatted(most))
                : Optional.empty();
    }

    private Optional<Violation> tooManyPeHours(List<Part> taken, List<Part> parts, List<Waiting> waiting, long now) {
        double seconds = Stream.concat(taken.stream(), parts.stream())
                        .mapToLong(part -> ahead(part.slot(), now) * part.pes())
                        .sum()
                + waiting.stream().mapToDouble(Waiting::peSeconds).sum();
        return limits.peHours().isPresent() && seconds > limits.peHours().getAsLong() * 3600.0
                ? violated("peHours", "%.1f PE-hours would be booked ahead; book less".formatted(seconds / 3600.0))
                : Optional.empty();
    }

    private static Waiting waiting(IntakeRequest request) {
        return new Waiting(request.terms().pes(), request.length());
    }

    private static Optional<Violation> violated(String limit, String message) {
        return Optional.of(new Violation("limits." + limit, message));
    }

    private static long ahead(Slot slot, long now) {
        return Math.max(0, slot.end() - Math.max(slot.start(), now));
    }

    /**
     * Returns the most PEs that the booked parts take at one time within the slot. O(n log n) for n parts, because every command on the
     * cluster waits for this decision.
     */
    private static long mostAtOneTime(List<Part> booked, Slot slot) {
        var changes = new TreeMap<Long, Long>();
        for (var other : booked) {
            if (other.slot().overlaps(slot)) {
                long pes = other.pes();
                changes.merge(Math.max(slot.start(), other.slot().start()), pes, Long::sum);
                changes.merge(other.slot().end(), -pes, Long::sum);
            }
        }
        long taken = 0;
        long most = 0;
        for (long change : changes.values()) {
            taken += change;
            most = Math.max(most, taken);
        }
        return most;
    }
}
