package berth.scheduling;

import berth.approval.Approval;
import berth.approval.Approval.Ask;
import berth.approval.ApprovalRule.Run;
import berth.approval.ApprovalRules;
import berth.approval.Side;
import berth.reservation.Assignment;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Violation;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who must approve a reservation before it is confirmed, and who may: the one place that decides it. A side is not asked about what an
 * account that may approve for it has requested, for itself or for another, or has handed over.
 *
 * @param basis the facts at the time of the request
 */
public record Approvals(Basis basis) {

    /** The most reservations of an account that wait for approval, because each keeps a place that nobody may ever use. */
    public static final int MAX_PENDING = 20;

    /** Returns the sides that must approve a reservation, with the terms, place and price that it has; empty if it needs no approval. */
    public List<Ask> asked(Reservation reservation) {
        return asked(reservation.origin(), reservation.parts(), reservation.price());
    }

    /** Returns the sides that must approve a run; empty if it needs no approval. */
    public List<Ask> asked(Origin origin, List<Part> parts, Money price) {
        var by = origin.assignment().map(Assignment::by).orElse(origin.owner());
        return matching(origin, parts, price, basis.now()).stream()
                .filter(ask -> !mayAnswer(by, ask.by(), origin.project()))
                .toList();
    }

    /** @param since the time from which the lead counts, in seconds since the epoch */
    private List<Ask> matching(Origin origin, List<Part> parts, Money price, long since) {
        var ofCluster = basis.schedule().cluster().policy().approval().asks();
        var ofProject = origin.project()
                .map(basis.schedule().funds().filing()::approval)
                .orElse(ApprovalRules.NONE);
        if (ofCluster.rules().isEmpty()
                && ofProject.rules().isEmpty()
                && origin.policyAsks().isEmpty()) {
            return List.of();
        }
        var run = new Run(
                parts.stream().mapToInt(Part::pes).max().orElse(0),
                parts.stream()
                        .mapToLong(part -> part.slot().duration() * part.pes())
                        .sum(),
                price,
                parts.stream().mapToLong(part -> part.slot().duration()).sum(),
                parts.getFirst().slot().start() - since,
                origin.serviceClass());
        return Stream.of(
                        ofCluster.matching(run).map(rule -> Ask.of(Side.CLUSTER, rule)),
                        ofProject.matching(run).map(rule -> Ask.of(Side.PROJECT, rule)),
                        origin.policyAsks().map(Ask::ofPolicy))
                .flatMap(Optional::stream)
                .toList();
    }

    private List<Ask> matching(Reservation reservation, long since) {
        return matching(reservation.origin(), reservation.parts(), reservation.price(), since);
    }

    /**
     * Returns the sides that must approve a change of a reservation at the wish of an account. A side that has approved it is asked again
     * only if it becomes larger; another side only if its rules have not matched so far, or if the reservation becomes larger. The lead counts
     * from the request as long as the reservation becomes neither larger nor earlier.
     *
     * @param by the account that wants the change
     */
    public List<Ask> askedToChange(Reservation before, Reservation after, AccountName by) {
        boolean isLarger = isLarger(before, after);
        var given = before.status().approval();
        long requestedAt = before.status().createdAt();
        boolean isAnew = isLarger || after.slot().start() < before.slot().start();
        var matched = matching(before, requestedAt).stream().map(Ask::by).collect(Collectors.toSet());
        var asked = matching(after, isAnew ? basis.now() : requestedAt);
        var named = asked.stream().map(Ask::by).collect(Collectors.toSet());
        return Stream.concat(
                        asked.stream().filter(ask -> isLarger || !matched.contains(ask.by())),
                        given.stream()
                                .flatMap(approval -> approval.asked().stream())
                                .filter(ask -> isLarger && !named.contains(ask.by())))
                .filter(ask -> given.filter(approval -> !isLarger && approval.isGivenBy(ask.by()))
                        .isEmpty())
                .filter(ask -> !mayAnswer(by, ask.by(), before.origin().project()))
                .toList();
    }

    /**
     * Returns the sides whose rules match a confirmed reservation that is handed over, which have not approved it, and for which the account
     * that hands it over may not approve. They were not asked because of its owner, or before there were such rules.
     */
    public List<Ask> askedToHandOver(Reservation reservation, AccountName by) {
        var given = reservation.status().approval();
        return matching(reservation, reservation.status().createdAt()).stream()
                .filter(ask ->
                        given.filter(approval -> approval.isGivenBy(ask.by())).isEmpty())
                .filter(ask -> !mayAnswer(by, ask.by(), reservation.origin().project()))
                .toList();
    }

    /** Whether a change takes more PEs at one time, more PE-seconds, or costs more. */
    private static boolean isLarger(Reservation before, Reservation after) {
        return after.placement().work() > before.placement().work()
                || mostPes(after) > mostPes(before)
                || after.price().currency().equals(before.price().currency())
                        && after.price().exceeds(before.price());
    }

    private static int mostPes(Reservation reservation) {
        return reservation.parts().stream().mapToInt(Part::pes).max().orElse(0);
    }

    /** Whether an account may approve for a side at present. */
    public boolean mayAnswer(AccountName account, Side side, Optional<String> project) {
        var filing = basis.schedule().funds().filing();
        return filing.isAdministrator(account)
                || switch (side) {
                    case CLUSTER, POLICY ->
                        basis.schedule()
                                .cluster()
                                .policy()
                                .approval()
                                .approvers()
                                .contains(account);
                    case PROJECT ->
                        project.filter(id -> filing.owns(account, id)).isPresent();
                };
    }

    /** Returns the sides that have not answered and for which an account may answer; empty unless the reservation waits for approval. */
    public Set<Side> answerable(Reservation reservation, AccountName account) {
        var sides = EnumSet.noneOf(Side.class);
        if (reservation.state() == ReservationState.PENDING) {
            reservation.status().approval().stream()
                    .flatMap(approval -> approval.asked().stream())
                    .filter(Ask::isOpen)
                    .map(Ask::by)
                    .filter(side ->
                            mayAnswer(account, side, reservation.origin().project()))
                    .forEach(sides::add);
        }
        return sides;
    }

    /** Returns the live reservations of the cluster for which an account may answer at present. */
    public List<Reservation> answerable(AccountName account) {
        return basis.schedule().reservations().stream()
                .filter(reservation -> !answerable(reservation, account).isEmpty())
                .toList();
    }

    /**
     * Returns what a reservation needs before it is confirmed. It expires at its start at the latest.
     *
     * @param asked the sides that must approve it
     */
    public Approval needed(Reservation reservation, List<Ask> asked) {
        long patience = asked.stream()
                .mapToLong(ask -> rules(ask.by(), reservation.origin()).expires())
                .min()
                .orElseThrow();
        return new Approval(
                asked, Math.min(basis.now() + patience, reservation.slot().start()));
    }

    private ApprovalRules rules(Side side, Origin origin) {
        return switch (side) {
            case CLUSTER, POLICY ->
                basis.schedule().cluster().policy().approval().asks();
            case PROJECT ->
                basis.schedule().funds().filing().approval(origin.project().orElseThrow());
        };
    }

    /** Returns how many reservations of an account wait for approval on a cluster. */
    public static long pending(ClusterSchedule schedule, AccountName owner) {
        return schedule.reservationsOf(owner).stream()
                .filter(reservation -> reservation.state() == ReservationState.PENDING)
                .count();
    }

    /** Returns why no further reservation of an account can wait for approval; empty if one can. */
    public Optional<Rejection> tooMany(AccountName owner) {
        long waiting =
                pending(basis.schedule(), owner) + basis.pendingElsewhere().applyAsLong(owner);
        return waiting < MAX_PENDING
                ? Optional.empty()
                : Optional.of(new Rejection.LimitExceeded(new Violation(
                        "approval",
                        "%d reservations of the account wait for approval already, which is the most; cancel one, or wait for an answer"
                                .formatted(waiting))));
    }

    /** Returns the start before which Berth chooses no place for a request that must be approved, if there is another. */
    public long earliestStart() {
        return basis.now() + basis.schedule().cluster().policy().approval().leadTime();
    }
}
