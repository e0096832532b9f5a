package berth.booking.web;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.batch.Impact;
import berth.booking.AlternativePlace;
import berth.booking.Probes.Place;
import berth.booking.terms.PartBody;
import berth.http.MoneyBody;
import berth.http.Texts;
import berth.peers.RemoteProbe;
import berth.reservation.ClusterId;
import berth.scheduling.places.Alternatives.Alternative;
import berth.scheduling.places.Probe.Offer;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A place that would fit.
 *
 * @param cluster the cluster that has the place
 * @param parts the parts of the run; a run that is not split has one part
 * @param availability how little the slot hurts the cluster's batch jobs, from 0 to 1. It is 1 if they lose nothing, and almost 0, the
 *     worst value, if one of them could no longer run
 * @param impact the effect on these jobs. Null if there are no jobs or the effect is not reported, if the slot changes how many of them
 *     finish, and for clients, who may not see the provider's queue
 * @param needsApproval whether a reservation there must be approved before it is confirmed, by the rules of its cluster; null if it is not
 *     known
 * @param effects the cost for others; null if another Berth does not report it
 */
record SlotBody(
        String cluster,
        @JsonUnwrapped RunBody run,
        List<PartBody> parts,
        @JsonUnwrapped CostBody cost,
        double availability,
        @Nullable ImpactBody impact,
        @Nullable Boolean needsApproval,
        @Nullable EffectsBody effects,
        @JsonUnwrapped RelationBody relation) {

    /**
     * The cost of a slot for the client.
     *
     * @param price the price if the place may still be moved as the terms allow
     * @param fixedPrice the price if the place were final at once, as with an exact start; null if another Berth does not report it
     * @param withinBudget whether the price is within the budget
     */
    record CostBody(MoneyBody price, @Nullable MoneyBody fixedPrice, boolean withinBudget) {}

    /**
     * The relation of a slot to the request.
     *
     * @param deadline the end of the window that goes along with an alternative: {@code price} is for terms with its start as the ready time
     *     and this deadline, which leave the run the slack that the request has. Null unless the slot is an alternative
     * @param chosenByPolicy whether a reservation with these terms would get this place
     * @param kind whether the slot has the requested terms or is an alternative
     * @param phi how far an alternative lies from the requested window, in run times, negative if it lies before the window; null if the
     *     slot is not an alternative
     */
    record RelationBody(
            @Nullable Instant deadline,
            boolean chosenByPolicy,
            Kind kind,
            @Nullable BigDecimal phi) {

        private static RelationBody requested(boolean isChosen) {
            return new RelationBody(null, isChosen, Kind.REQUESTED, null);
        }

        private static RelationBody alternative(@Nullable Instant deadline, boolean isChosen, BigDecimal phi) {
            return new RelationBody(deadline, isChosen, Kind.ALTERNATIVE, phi);
        }
    }

    /** How a slot relates to the request. */
    @Schema(name = "SlotKind")
    enum Kind {
        /** The slot has the requested terms. */
        REQUESTED,
        /** The slot has the same terms, but lies outside of their window. */
        ALTERNATIVE
    }

    /**
     * The effect of a reservation on the batch jobs of a cluster, if all jobs run as long as estimated.
     *
     * @param makespanBefore the time until the last job ends, without the reservation
     * @param makespanAfter the time until the last job ends, with the reservation
     * @param averageCompletionBefore the average time from submission to end, without the reservation
     * @param averageCompletionAfter the average time from submission to end, with the reservation
     */
    @Schema(name = "Impact")
    record ImpactBody(
            String makespanBefore,
            String makespanAfter,
            String averageCompletionBefore,
            String averageCompletionAfter) {

        private static ImpactBody of(Impact impact) {
            return new ImpactBody(
                    Texts.duration(impact.before().makespan()),
                    Texts.duration(impact.after().makespan()),
                    Texts.duration(Math.round(impact.before().averageCompletion())),
                    Texts.duration(Math.round(impact.after().averageCompletion())));
        }
    }

    /** Returns a place that a probe found, as the account may see it. */
    static SlotBody of(Place place, Account account) {
        return switch (place) {
            case Place.Here(var cluster, var offer, boolean needsApproval) ->
                of(cluster, offer, account, needsApproval, RelationBody.requested(offer.chosen()));
            case Place.There(var slot) -> of(slot, null);
            case Place.Outside(var cluster, var alternative, boolean needsApproval) ->
                of(cluster, alternative, account, needsApproval);
        };
    }

    /** Returns a place outside of the requested window, as the account may see it. */
    static SlotBody of(ClusterId cluster, Alternative alternative, Account account) {
        return of(cluster, alternative, account, null);
    }

    private static SlotBody of(
            ClusterId cluster, Alternative alternative, Account account, @Nullable Boolean needsApproval) {
        var offer = alternative.offer();
        var deadline = Texts.instant(alternative.terms().deadline());
        return of(
                cluster,
                offer,
                account,
                needsApproval,
                RelationBody.alternative(deadline, offer.chosen(), alternative.phi()));
    }

    /** Returns a place outside of the requested window on any cluster, as the account may see it. */
    static SlotBody of(AlternativePlace place, Account account) {
        return switch (place) {
            case AlternativePlace.Here(var cluster, var alternative) -> of(cluster, alternative, account);
            case AlternativePlace.There(var slot, var phi) -> of(slot, phi);
        };
    }

    /** Returns a place that another Berth reported, with this Berth's id of the cluster. */
    private static SlotBody of(RemoteProbe.Slot slot, @Nullable BigDecimal phi) {
        var remote = RemoteAnswers.read(slot.told(), SlotBody.class);
        var choice = slot.choice();
        var start = Texts.instant(choice.slot().start());
        var end = Texts.instant(choice.slot().end());
        boolean isChosen = remote.relation.chosenByPolicy;
        return new SlotBody(
                choice.cluster().value(),
                new RunBody(start, end, PartBody.runTime(remote.parts, start, end), remote.run.pes()),
                Objects.requireNonNullElse(remote.parts, List.of()),
                new CostBody(MoneyBody.of(choice.price()), remote.cost.fixedPrice, remote.cost.withinBudget),
                choice.availability(),
                null,
                remote.needsApproval,
                EffectsBody.reported(remote.effects),
                phi == null
                        ? RelationBody.requested(isChosen)
                        : RelationBody.alternative(Texts.instant(slot.deadline()), isChosen, phi));
    }

    private static SlotBody of(
            ClusterId cluster, Offer offer, Account account, @Nullable Boolean needsApproval, RelationBody relation) {
        var impact = account.role() == Role.CLIENT
                ? null
                : offer.impact().map(ImpactBody::of).orElse(null);
        return new SlotBody(
                cluster.value(),
                RunBody.of(offer.slot(), offer.parts()),
                PartBody.of(offer.parts()),
                new CostBody(MoneyBody.of(offer.price()), MoneyBody.of(offer.fixedPrice()), offer.withinBudget()),
                Math.floor(offer.availability() * 1e6) / 1e6,
                impact,
                needsApproval,
                EffectsBody.of(offer, account),
                relation);
    }
}
