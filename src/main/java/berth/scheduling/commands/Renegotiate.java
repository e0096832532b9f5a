package berth.scheduling.commands;

import berth.approval.Approval.Ask;
import berth.availability.PeSet;
import berth.cluster.Admission;
import berth.cluster.Binding;
import berth.outcome.Outcome;
import berth.reservation.Charge;
import berth.reservation.Placement;
import berth.reservation.Proposal;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Approvals;
import berth.scheduling.Basis;
import berth.scheduling.CancellationDue;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Lookup;
import berth.scheduling.Place;
import berth.scheduling.Rejection;
import berth.scheduling.Returns;
import berth.scheduling.Target;
import berth.scheduling.TermsRule;
import berth.scheduling.places.JugglingResult;
import berth.scheduling.places.Newcomer;
import berth.scheduling.places.PlaceSearch;
import berth.scheduling.places.PlaceSearch.Search;
import berth.sla.AccountName;
import berth.sla.Fixing;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.sla.Violation;
import berth.time.Window;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Changes the terms of a reservation (paper 000, section 2.1) at its owner's wish or, with an incentive, at the provider's. The run stays
 * in its place if the new terms and budget allow it; otherwise it gets the place that the policy chooses, and other reservations may move
 * for it. A run that stays becomes final when it was to, unless the owner asks for another time. A run that gets a new place, even one with
 * the same start, becomes final as if it were placed for the first time. Of a running reservation only what is left can change: with one
 * part, its end, and a rigid run can have fewer PEs; with several parts, only the deadline. What it has less is {@linkplain Returns
 * returned}. If the command is rejected, nothing changes.
 *
 * @param target the reservation
 * @param wanted the new terms, complete, including those that do not change
 * @param incentive the amount that the provider takes off the price, if the change is the provider's wish; empty if it is the owner's
 * @param by the account that wants the change, if it is not the owner; if the reservation must be {@linkplain Approvals approved} because of
 *     the change, the account must be one that may approve it
 */
public record Renegotiate(Target target, RequestedTerms wanted, Optional<Money> incentive, Optional<AccountName> by)
        implements Command {

    /** Creates the command for a wish of the owner. */
    public Renegotiate(Target target, RequestedTerms wanted) {
        this(target, wanted, Optional.empty(), Optional.empty());
    }

    /** Creates the command for an accepted proposal. The offered ready time may have passed. */
    static Renegotiate accepted(Target target, Reservation before, Proposal proposal, long now) {
        var wanted = RequestedTerms.of(proposal.terms());
        var window = proposal.terms().window();
        boolean hasPassed = window.readyTime() < now
                && window.readyTime() != before.terms().window().readyTime();
        var present = hasPassed && now < window.deadline() ? wanted.within(new Window(now, window.deadline())) : wanted;
        return new Renegotiate(target, present, Optional.of(proposal.incentive()), Optional.empty());
    }

    /** When the place becomes final under the new terms, and how far the run can move until then. */
    private sealed interface Finality {

        long fixesAt(long start);

        Mobility mobility(long start);

        /** The place becomes final when it was to. */
        record AsItWas(long fixesAt, long now) implements Finality {
            @Override
            public long fixesAt(long start) {
                return fixesAt;
            }

            @Override
            public Mobility mobility(long start) {
                return Mobility.until(fixesAt, now, start);
            }
        }

        /** The place becomes final as that of a new run, so a later start never costs more. */
        record Anew(Fixing finality, long notice, long now) implements Finality {
            @Override
            public long fixesAt(long start) {
                return finality.fixesAt(now, start, notice);
            }

            @Override
            public Mobility mobility(long start) {
                return finality.mobility(now, now, start, notice);
            }
        }

        static Finality anew(ClusterSchedule schedule, Terms terms, long now) {
            return new Anew(terms.finality(), schedule.cluster().policy().notice(), now);
        }

        static Finality ofOneThatStays(ClusterSchedule schedule, Reservation before, Terms terms, long now) {
            return terms.finality().equals(before.terms().finality())
                    ? new AsItWas(before.placement().fixesAt(), now)
                    : anew(schedule, terms, now);
        }
    }

    @Override
    public long looks(ClusterSchedule schedule, long now) {
        return PlaceSearch.looks(schedule, wanted, now);
    }

    @Override
    public Decision decide(Basis basis) {
        return switch (Lookup.of(
                basis.schedule(), target, EnumSet.of(ReservationState.CONFIRMED, ReservationState.RUNNING))) {
            case Outcome.NotDone(var reason) -> rejected(reason);
            case Outcome.Done(var reservation) -> decide(basis, reservation);
        };
    }

    /** Returns the price of a waiting reservation under these terms if it stays in its place; empty if it does not. */
    Optional<Money> priceInPlace(ClusterSchedule schedule, Reservation before, long now) {
        var cluster = schedule.cluster();
        var resolution = wanted.resolve(now, TermsRule.bounds(cluster), before.terms());
        return resolution instanceof Outcome.Done(var terms)
                        && staying(schedule.without(before.id()), before, terms, now) instanceof Search.Found stays
                ? Optional.of(stays.price())
                : Optional.empty();
    }

    private Decision decide(Basis basis, Reservation before) {
        var schedule = basis.schedule();
        long now = basis.now();
        var cluster = schedule.cluster();
        return switch (wanted.resolve(now, TermsRule.bounds(cluster), before.terms())) {
            case Outcome.NotDone(var violations) -> rejected(new Rejection.InvalidTerms(violations));
            case Outcome.Done(var terms) -> {
                if (terms.equals(before.terms()) && incentive.isEmpty()) {
                    yield Decision.Accepted.unchanged(schedule);
                }
                var refused = TermsRule.refused(cluster, terms, before.terms(), now);
                if (refused.isPresent()) {
                    yield rejected(refused.get());
                }
                yield placed(basis, before, terms);
            }
        };
    }

    private Decision placed(Basis basis, Reservation before, Terms terms) {
        var schedule = basis.schedule();
        long now = basis.now();
        var rest = schedule.without(before.id());
        boolean isRunning = before.state() == ReservationState.RUNNING;
        var there = isRunning ? runningOn(rest, before, terms, now) : staying(rest, before, terms, now);
        boolean stays = isRunning || there instanceof Search.Found;
        var finality =
                stays ? Finality.ofOneThatStays(schedule, before, terms, now) : Finality.anew(schedule, terms, now);
        return switch (stays ? JugglingResult.of(there) : elsewhere(rest, before, terms, finality, now)) {
            case JugglingResult.Nothing(var reason, var _) -> rejected(reason);
            case JugglingResult.Found found -> {
                var agreed = terms.lyingAt(found.place().parts());
                yield agreed(basis, before, agreed, finality, found);
            }
        };
    }

    /**
     * Finds another place. Other reservations move only if there is no room otherwise, whether the cluster juggles always or on conflict.
     */
    private JugglingResult elsewhere(
            ClusterSchedule rest, Reservation before, Terms terms, Finality finality, long now) {
        var search = search(rest, before, terms, finality, now);
        var newcomer = Newcomer.again(before, terms, free -> search.among(free).choose());
        return JugglingResult.onConflict(rest, newcomer, now);
    }

    private Search staying(ClusterSchedule rest, Reservation before, Terms terms, long now) {
        return search(rest, before, terms, Finality.ofOneThatStays(rest, before, terms, now), now)
                .from(before.parts());
    }

    private PlaceSearch search(ClusterSchedule rest, Reservation before, Terms terms, Finality finality, long now) {
        return PlaceSearch.of(rest, terms, place -> price(rest, before, terms, finality, place, now), now);
    }

    private Search runningOn(ClusterSchedule rest, Reservation before, Terms terms, long now) {
        var violations = changedBesidesTheEnd(before, terms);
        var wrongEnd = before.parts().size() > 1 ? wrongEndOfParts(before, terms) : wrongEnd(before, terms, now);
        wrongEnd.ifPresent(violations::add);
        if (!violations.isEmpty()) {
            return new Search.Nothing(new Rejection.InvalidTerms(List.copyOf(violations)));
        }
        var search = search(rest, before, terms, Finality.ofOneThatStays(rest, before, terms, now), now);
        var parts = onFewerPes(before, terms);
        return search.among(sparing(rest, before, parts).free()).from(parts);
    }

    /**
     * Returns the parts of a run on those of its PEs that it keeps under these terms: first those that it lacks at no time, then those that
     * no job of others has, then the lowest-numbered.
     */
    private static List<Part> onFewerPes(Reservation run, Terms terms) {
        var had = run.parts().getFirst();
        if (run.parts().size() > 1 || terms.moldability().isPresent() || terms.pes() >= had.pes()) {
            return run.parts();
        }
        var own = had.peIds().orElseThrow();
        var gone = run.placement().losses().lacks().stream()
                .flatMap(lack -> lack.peIds().stream())
                .reduce(PeSet.NONE, PeSet::or);
        var kept = PeSet.NONE;
        var taken = run.enforcement().taken().now();
        for (var best : List.of(own.minus(gone).minus(taken), own.minus(gone), own)) {
            var more = best.minus(kept);
            kept = kept.or(more.lowest(Math.min(more.size(), terms.pes() - kept.size())));
        }
        return List.of(new Part(had.slot(), terms.pes(), Optional.of(kept), had.steps()));
    }

    /** A run that lacks PEs, or is to lose some, can go on for longer without those that are out of service then. */
    private static ClusterSchedule sparing(ClusterSchedule rest, Reservation run, List<Part> parts) {
        if (run.placement().losses().lacks().isEmpty()) {
            return rest;
        }
        var last = parts.getLast();
        var ids = rest.cluster().binding() == Binding.EARLY ? last.peIds() : Optional.<PeSet>empty();
        return rest.with(rest.occupancy().sparing(last, ids, rest.cluster().pes()));
    }

    /** Returns the placement of a reservation in a place that may have fewer PEs, with what it lacks there. */
    private static Placement placement(Reservation before, Place place, long fixesAt, ClusterSchedule rest, long now) {
        var had = before.placement();
        var losses = had.losses();
        var parts = place.parts();
        var changed = had.changed(parts, fixesAt);
        var lacks = losses.lacks().isEmpty()
                ? losses.lacks()
                : rest.occupancy().lacking(changed, rest.cluster().pes(), parts.size(), now);
        boolean shrinks = before.state() == ReservationState.RUNNING
                && parts.getFirst().pes() < before.parts().getFirst().pes();
        if (shrinks) {
            return had.shrunk(parts.getFirst(), lacks, now);
        }
        return losses.lacks().isEmpty() ? changed : changed.with(losses.at(now, lacks));
    }

    /** Checks the new end of a running reservation with one part; its shape stays. */
    private static Optional<Violation> wrongEnd(Reservation before, Terms terms, long now) {
        var part = before.parts().getFirst();
        var shape = terms.shape(part.pes());
        boolean isAsMoldable = terms.moldability().isPresent()
                && terms.moldability().equals(before.terms().moldability())
                && terms.pes() == before.terms().pes();
        if (shape.isEmpty() && isAsMoldable) {
            return Optional.of(new Violation(
                    "duration",
                    "takes longer than the cluster allows on the %d PEs that the run has; shorten it"
                            .formatted(part.pes())));
        }
        long runTime = shape.map(Shape::runTime).orElse(terms.runTime());
        long start = part.slot().start();
        if (start > terms.window().latestStart(runTime)) {
            return Optional.of(new Violation(
                    "duration",
                    "makes the run end after the deadline; loosen the deadline as well, or shorten the duration"));
        }
        return start + runTime <= now
                ? Optional.of(
                        new Violation("duration", "makes the run end in the past; complete the reservation instead"))
                : Optional.empty();
    }

    /** Checks the terms of a running reservation with several parts, whose lengths and end are fixed. */
    private static Optional<Violation> wrongEndOfParts(Reservation before, Terms terms) {
        if (before.terms().duration() != terms.duration()) {
            return Optional.of(new Violation(
                    "duration", "cannot change while a reservation with several parts runs; leave it out"));
        }
        return before.slot().end() > terms.window().deadline()
                ? Optional.of(
                        new Violation("deadline", "lies before the end of the run's last part; choose a later one"))
                : Optional.empty();
    }

    private static List<Violation> changedBesidesTheEnd(Reservation run, Terms after) {
        var before = run.terms();
        var violations = new ArrayList<Violation>();
        if (after.window().readyTime() != before.window().readyTime()) {
            violations.add(endsOnly("readyTime"));
        }
        if (!after.moldability().equals(before.moldability())) {
            violations.add(endsOnly("moldability"));
        }
        if (!areSame(before.preemption(), after.preemption())) {
            violations.add(endsOnly("preemption"));
        }
        boolean mayShrink = before.moldability().isEmpty() && run.parts().size() == 1;
        if (mayShrink && after.pes() > before.pes()) {
            violations.add(new Violation(
                    "pes", "cannot become more while the reservation runs; ask for fewer, or reserve more"));
        } else if (!mayShrink && after.pes() != before.pes()) {
            violations.add(endsOnly("pes"));
        }
        if (!after.requires().equals(before.requires())) {
            violations.add(endsOnly("requires"));
        }
        if (!after.fixing().after().equals(before.fixing().after())) {
            violations.add(endsOnly("fixAfter"));
        }
        if (!after.fixing().before().equals(before.fixing().before())) {
            violations.add(endsOnly("fixBefore"));
        }
        if (!after.mobility().equals(before.mobility())) {
            violations.add(endsOnly("mobility"));
        }
        return violations;
    }

    private static boolean areSame(Optional<Preemption> one, Optional<Preemption> other) {
        return one.isPresent() == other.isPresent()
                && one.filter(how -> !how.isSameAs(other.orElseThrow())).isEmpty();
    }

    private static Violation endsOnly(String field) {
        return new Violation(
                field,
                "cannot change while the reservation runs; only its duration and deadline can, and PEs can become fewer");
    }

    /**
     * Returns the new price. If the provider wants the change, the PE-seconds that were agreed never cost more than before.
     */
    private Money price(
            ClusterSchedule schedule, Reservation before, Terms wide, Finality finality, Place place, long now) {
        if (before.state() == ReservationState.RUNNING) {
            return charge(schedule, before, wide, place, now).price();
        }
        var tariff = schedule.cluster().tariff();
        var terms = wide.lyingAt(place.parts());
        var agreed = before.price();
        var had = before.parts();
        var mobility = schedule.cluster()
                .policy()
                .replanning()
                .moves()
                .usable(
                        finality.mobility(place.start()),
                        terms.mobility(),
                        before.status().moves().count());
        var after = schedule.prices(before.origin().customer()).run(terms, place.parts(), mobility);
        return incentive
                .map(off -> tariff.looser(agreed, had, after).less(off))
                .orElseGet(() -> tariff.renegotiated(agreed, before.terms(), had, after));
    }

    /** Returns the charge of a run that has begun: what it has less from now on is returned, and additional time costs its price. */
    private static Charge charge(ClusterSchedule schedule, Reservation run, Terms terms, Place place, long now) {
        var parts = place.parts();
        if (parts.size() > 1) {
            return run.charge();
        }
        var part = parts.getFirst();
        var charge = Returns.of(run, part, schedule, now);
        long added =
                Math.multiplyExact(Math.max(0, part.slot().end() - run.slot().end()), part.pes());
        return charge.ofParts(schedule.cluster()
                .tariff()
                .prolonged(
                        charge.ofParts(),
                        schedule.prices(run.origin().customer()).run(terms, parts, Mobility.NONE),
                        added));
    }

    private Decision agreed(
            Basis basis, Reservation before, Terms terms, Finality finality, JugglingResult.Found found) {
        var schedule = basis.schedule();
        long now = basis.now();
        var place = found.place();
        boolean takesMore = !within(before, place);
        if (takesMore && schedule.cluster().admission() == Admission.CLOSED) {
            return rejected(new Rejection.Closed());
        }
        var rest = schedule.without(before.id());
        var placement = placement(before, place, finality.fixesAt(place.start()), rest, now);
        var charge = before.state() == ReservationState.RUNNING
                ? charge(rest, before, terms, place, now)
                : before.charge().agreed(found.price());
        var changed = before.renegotiated(terms, placement, charge, now);
        var after = incentive.isPresent() ? changed : CancellationDue.afterOwners(before, changed, schedule, now);
        var type = incentive.isPresent() ? Event.Type.ACCEPTED : Event.Type.RENEGOTIATED;
        // a proposal comes from an administrator, who may approve
        var asked = incentive.isPresent()
                ? List.<Ask>of()
                : new Approvals(basis)
                        .askedToChange(before, after, by.orElse(before.origin().owner()));
        if (!asked.isEmpty()) {
            return rejected(new Rejection.NeedsApproval(asked));
        }
        var accepted = found.accepted(schedule, ReservationEvent.of(type, after));
        // other reservations of the account may have moved to make room
        var limit = takesMore
                ? basis.allowance(before.origin().owner())
                        .exceeded(accepted.next(), before.id(), before.origin().owner(), place.parts(), now)
                : Optional.<Violation>empty();
        return limit.<Decision>map(exceeded -> rejected(new Rejection.LimitExceeded(exceeded)))
                .orElseGet(() -> accepted.paid(schedule, after));
    }

    /** Whether the run takes only PEs and time that it already has. */
    private static boolean within(Reservation before, Place place) {
        return place.parts().stream()
                .allMatch(part -> before.parts().stream()
                        .anyMatch(had -> part.pes() <= had.pes()
                                && had.slot().start() <= part.slot().start()
                                && part.slot().end() <= had.slot().end()));
    }

    private static Decision rejected(Rejection reason) {
        return new Decision.Rejected(reason);
    }
}
