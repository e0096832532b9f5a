package berth.scheduling;

import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import berth.sla.RequestedTerms.Resolution;
import berth.sla.Violation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * The provider offers the owner of a reservation that waits other terms, and an incentive for accepting them (paper 000,
 * section 2.1). Nothing else changes until the owner accepts: see {@link AcceptProposal}.
 *
 * @param target whose terms
 * @param wanted the terms that are offered, complete: what is not to change is as it was agreed
 * @param incentive what accepting takes off the price, at most all of it
 * @param by the administrator who offers it
 * @param expiresAt until when the owner may accept, seconds since the epoch
 */
public record Propose(Target target, RequestedTerms wanted, Money incentive, AccountName by, long expiresAt)
        implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return switch (Lookup.of(schedule, target, EnumSet.of(ReservationState.CONFIRMED))) {
            case Lookup.Missing(var reason) -> new Decision.Rejected(reason);
            case Lookup.Found(var reservation) -> decide(schedule, reservation, now);
        };
    }

    private Decision decide(ClusterSchedule schedule, Reservation before, long now) {
        var open = before.proposal().filter(proposal -> proposal.isOpen(now));
        if (open.isPresent()) {
            return new Decision.Rejected(
                    new Rejection.ProposalOpen(open.get().number(), open.get().expiresAt()));
        }
        var violations = violations(before, now);
        if (!violations.isEmpty()) {
            return new Decision.Rejected(new Rejection.InvalidTerms(violations));
        }
        var cluster = schedule.cluster();
        return switch (wanted.resolve(now, cluster.policy().horizon(), AdmissionRule.bounds(cluster), before.terms())) {
            case Resolution.Invalid(var wrong) -> new Decision.Rejected(new Rejection.InvalidTerms(wrong));
            case Resolution.Resolved(var terms) ->
                AdmissionRule.refused(cluster, terms, before.terms(), now)
                        .<Decision>map(Decision.Rejected::new)
                        .orElseGet(() -> Decision.Accepted.of(
                                schedule,
                                ReservationEvent.of(
                                        Event.Type.PROPOSED, before.proposed(terms, incentive, by, expiresAt, now))));
        };
    }

    private List<Violation> violations(Reservation before, long now) {
        var violations = new ArrayList<Violation>();
        if (expiresAt <= now) {
            violations.add(new Violation("expiresAt", "must lie in the future"));
        }
        if (!incentive.currency().equals(before.price().currency())) {
            violations.add(new Violation(
                    "incentive",
                    "must be in the cluster's currency, " + before.price().currency()));
        } else if (incentive.exceeds(before.price())) {
            violations.add(new Violation("incentive", "must not exceed the price, " + before.price()));
        }
        return List.copyOf(violations);
    }
}
