package berth.booking.web;

import berth.accounts.Account;
import berth.booking.Renegotiations.Change;
import berth.booking.policy.PolicyHook;
import berth.booking.terms.TermsBody;
import berth.booking.web.ReservationLookup.Changed;
import berth.http.Fields;
import berth.http.MergePatch;
import berth.http.Problem;
import berth.reservation.Reservation;
import berth.sla.AccountName;
import berth.sla.QosScenario;
import berth.sla.RequestedTerms;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Reads requests for other terms. */
@Component
class RenegotiateRequests {

    private final MergePatch mergePatch;
    private final JsonMapper mapper;
    private final PolicyHook policy;
    private final InstantSource clock;

    RenegotiateRequests(MergePatch mergePatch, JsonMapper mapper, PolicyHook policy, InstantSource clock) {
        this.mergePatch = mergePatch;
        this.mapper = mapper;
        this.policy = policy;
        this.clock = clock;
    }

    /** The terms of a reservation in a field of that name, so that a patch and its errors have the paths that the client uses. */
    record TermsOnly(@Nullable TermsBody terms) {}

    /**
     * Returns the requested change of a reservation.
     *
     * @param call who makes the request, and in whose name
     * @throws Problem if a field is wrong
     */
    Change read(RenegotiateBody body, Reservation present, Changed call) {
        return call.by().name().equals(present.origin().owner())
                ? wish(body, present, call.by(), call.caller().name())
                : offer(body, present, call.by());
    }

    /**
     * Returns the change, after checking it against the site's policy. The policy applies to the owner's wishes and not to the provider's
     * offers.
     *
     * @param call who makes the request, and in whose name
     * @throws Problem if the policy does not allow the change
     */
    Change allowed(Change change, Reservation present, Changed call) {
        if (!(change instanceof Change.Offer)) {
            Refusals.requireAllowed(
                    policy.ask(
                            PolicyHook.Kind.RENEGOTIATE,
                            call.by().customer(),
                            call.caller().name(),
                            present.origin().project(),
                            Optional.of(present.cluster()),
                            wanted(change, present)),
                    call.caller());
        }
        return change;
    }

    /** Returns the terms that a reservation would have after a change. */
    static RequestedTerms wanted(Change change, Reservation present) {
        return switch (change) {
            case Change.Wish(var _, var _, var terms, var _) -> terms;
            case Change.Offer(var _, var terms, var _, var _) -> terms;
            case Change.Extension(var _, var _, long by, var _, var _) -> {
                var terms = present.terms();
                yield RequestedTerms.of(terms).rigid(terms.duration() + by, terms.pes());
            }
        };
    }

    private Change wish(RenegotiateBody body, Reservation present, Account owner, AccountName caller) {
        var fields = new Fields(body);
        if (body.incentive() != null) {
            fields.invalid("incentive", body.incentive(), "is for proposals to another account; leave it out");
        }
        if (body.expiresAt() != null) {
            fields.invalid("expiresAt", body.expiresAt(), "is for proposals to another account; leave it out");
        }
        fields.check();
        return new Change.Wish(owner.name(), owner.limits(), terms(body, present), caller);
    }

    private Change offer(RenegotiateBody body, Reservation present, Account provider) {
        var fields = new Fields(body);
        fields.required("incentive", body.incentive(), "");
        fields.required("expiresAt", body.expiresAt(), "");
        var incentive = fields.money("incentive", body.incentive());
        var expiresAt = fields.instantDown("expiresAt", body.expiresAt());
        fields.check();
        return new Change.Offer(
                provider.name(), terms(body, present), incentive.orElseThrow(), expiresAt.orElseThrow());
    }

    /**
     * Returns the terms to which a patch applies. A run without freedom in time has no deadline of its own. If the patch gives it freedom,
     * its place is final only if the patch says so.
     */
    private static TermsBody unpatched(RenegotiateBody body, Reservation present) {
        boolean givesSlack = body.terms() != null && body.terms().hasNonNull("slack");
        boolean givesFreedom =
                givesSlack || body.terms() != null && body.terms().hasNonNull("deadline");
        boolean isStrict = present.terms().scenario() == QosScenario.STRICT;
        var terms = RequestedTerms.of(present.terms());
        var open = isStrict || givesSlack ? terms.withoutDeadline() : terms;
        boolean isPut = isStrict && givesFreedom && present.placement().begun() == 0;
        return TermsBody.of(isPut ? open.fixing(open.fixing().unlessAtOnce()) : open);
    }

    /** Returns the terms that a reservation would have with the requested changes. */
    RequestedTerms terms(RenegotiateBody body, Reservation present) {
        var patch = mapper.createObjectNode().set("terms", body.terms());
        var merged = mergePatch.apply(patch, new TermsOnly(unpatched(body, present)), TermsOnly.class);
        var fields = new Fields(merged);
        var terms = TermsBody.read(merged.terms, fields, clock.instant().getEpochSecond());
        fields.check();
        return terms;
    }
}
