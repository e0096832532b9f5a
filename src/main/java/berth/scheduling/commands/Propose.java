package berth.scheduling.commands;

import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Lookup;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.scheduling.TermsRule;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import berth.sla.Violation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * Offers other terms and an incentive to the owner of a waiting reservation (paper 000, section 2.1). Nothing else changes until the owner
 * accepts, see {@link AcceptProposal}.
 *
 * @param target the reservation
 * @param wanted the offered terms, complete, including those that do not change
 * @param incentive the amount taken off the price on acceptance, at most all of it
 * @param by the administrator who makes the offer
 * @param expiresAt the time until which the owner can accept, in seconds since the epoch
 */
public record Propose(Target target, RequestedTerms wanted, Money incentive, AccountName by, long expiresAt)
        implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return switch (Lookup.of(schedule, target, EnumSet.of(ReservationState.CONFIRMED))) {
            case Outcome.NotDone(var reason) -> new Decision.Rejected(reason);
            case Outcome.Done(var reservation) -> decide(schedule, reservation, now);
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
        return switch (wanted.resolve(now, TermsRule.bounds(cluster), before.terms())) {
            case Outcome.NotDone(var wrong) -> new Decision.Rejected(new Rejection.InvalidTerms(wrong));
            case Outcome.Done(var terms) ->
                TermsRule.refused(cluster, terms, before.terms(), now)
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
