package berth.booking.web;

import berth.booking.Coallocations;
import berth.booking.CollectedRequest;
import berth.booking.web.Remedies.WouldFitBody;
import berth.booking.web.ReserveRequests.ReserveRequest;
import berth.engine.Desks;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.RequestIds;
import berth.http.Texts;
import berth.intake.IntakeRequest;
import berth.refusals.RefusalLog;
import berth.refusals.RefusedRequest;
import berth.refusals.RefusedRequest.Kind;
import berth.refusals.RefusedRequest.WouldHaveFit;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Hands refused requests for room to the log of refusals: those that end a call with a problem, and those that were collected, waited or
 * belong to a series, once their refusal is recorded. A request with a mistake that is found before Berth decides is not one.
 */
@Component
public class RefusedRequests {

    /** The codes that say that Berth has decided against a request. */
    private static final Set<RefusalCode> DECIDED =
            EnumSet.complementOf(EnumSet.of(RefusalCode.WRONG_STATE, RefusalCode.STALE_VERSION));

    private final RefusalLog log;
    private final InstantSource clock;

    RefusedRequests(RefusalLog log, Desks desks, InstantSource clock) {
        this.log = log;
        this.clock = clock;
        desks.whenRefused(
                request -> record(request, request.cluster().map(Set::of).orElse(Set.of())));
    }

    /**
     * A request for room.
     *
     * @param clusters the clusters that it allows; empty if any cluster will do
     * @param start the exact start, in seconds since the epoch
     */
    public record Wish(
            Kind kind,
            AccountName account,
            Optional<String> project,
            Set<ClusterId> clusters,
            Optional<Reservation> changed,
            RequestedTerms terms,
            OptionalLong start) {

        static Wish of(ReserveRequest asked) {
            var request = asked.request();
            return new Wish(
                    Kind.RESERVATION,
                    request.origin().owner(),
                    request.origin().project(),
                    request.only(),
                    Optional.empty(),
                    request.terms(),
                    request.start());
        }

        /** Returns the wish for other terms of a reservation, in the name of an account. */
        static Wish of(Kind kind, AccountName by, Reservation changed, RequestedTerms terms) {
            return new Wish(
                    kind,
                    by,
                    changed.origin().project(),
                    Set.of(changed.cluster()),
                    Optional.of(changed),
                    terms,
                    OptionalLong.empty());
        }

        /** Returns the wish for a reservation on one cluster that belongs to something larger. */
        public static Wish of(Kind kind, Origin origin, ClusterId cluster, RequestedTerms terms) {
            return new Wish(
                    kind,
                    origin.owner(),
                    origin.project(),
                    Set.of(cluster),
                    Optional.empty(),
                    terms,
                    OptionalLong.empty());
        }
    }

    /**
     * Returns the result of a call, and takes note of the wish if it is refused.
     *
     * @throws Problem the problem with which the call ends
     */
    public <T> T noting(Supplier<Wish> wish, Supplier<T> call) {
        try {
            return call.get();
        } catch (Problem problem) {
            throw noted(wish.get(), problem);
        }
    }

    /**
     * Returns the result of a call for a co-allocation, and takes note of each part if it is refused.
     *
     * @throws Problem the problem with which the call ends
     */
    <T> T noting(Coallocations.Wanted wanted, Supplier<T> call) {
        try {
            return call.get();
        } catch (Problem problem) {
            wanted.parts()
                    .forEach(part ->
                            noted(Wish.of(Kind.COALLOCATION, wanted.origin(), part.cluster(), part.terms()), problem));
            throw problem;
        }
    }

    /** Takes note of a request that ends with a problem, unless Berth has not decided it; returns the problem. */
    public Problem noted(Wish wish, Problem problem) {
        code(problem.code().word())
                .ifPresent(code -> log.record(new RefusedRequest(
                        clock.instant().getEpochSecond(),
                        wish.kind,
                        wish.account,
                        wish.project,
                        wish.clusters,
                        wish.changed.map(Reservation::id),
                        wish.terms,
                        wish.start,
                        code,
                        detail(problem),
                        problem instanceof NoRoom lacking
                                ? lacking.wouldFit().map(RefusedRequests::would).orElse(WouldHaveFit.NOTHING)
                                : WouldHaveFit.NOTHING,
                        RequestIds.current())));
        return problem;
    }

    /** Returns the reasons that the errors of a problem give, if any, and what to do. */
    private static String detail(Problem problem) {
        return problem.errors().stream()
                .map(error -> "%s %s. ".formatted(error.field(), error.message()))
                .collect(Collectors.joining("", "", problem.detail()));
    }

    private static WouldHaveFit would(WouldFitBody body) {
        return new WouldHaveFit(
                body.deadline() == null
                        ? OptionalLong.empty()
                        : OptionalLong.of(body.deadline().getEpochSecond()),
                body.pes() == null ? OptionalInt.empty() : OptionalInt.of(body.pes()),
                body.duration() == null
                        ? OptionalLong.empty()
                        : OptionalLong.of(Duration.parse(body.duration()).toSeconds()));
    }

    /** Takes note of a request without a cluster that was rejected in its round. */
    void rejected(CollectedRequest collected) {
        record(collected.request(), collected.only());
    }

    private void record(IntakeRequest request, Set<ClusterId> clusters) {
        var code = request.reason().orElse(RefusalCode.NO_SLOT);
        if (!DECIDED.contains(code)) {
            return;
        }
        var origin = request.origin();
        log.record(new RefusedRequest(
                request.endedAt().orElseThrow(),
                origin.occurrence().isPresent() ? Kind.SERIES : Kind.RESERVATION,
                origin.owner(),
                origin.project(),
                clusters,
                Optional.empty(),
                request.terms(),
                request.start(),
                code,
                request.state() == IntakeRequest.State.EXPIRED
                        ? "The request waited for room until %s, and there was none."
                                .formatted(Texts.instant(request.endedAt().orElseThrow()))
                        : Remedies.rejected(code).detail(),
                WouldHaveFit.NOTHING,
                Optional.empty()));
    }

    /** Returns the code of refused requests with that word; empty if there is none. */
    public static Optional<RefusalCode> code(String word) {
        return RefusalCode.find(word).filter(DECIDED::contains);
    }

    /** Returns the words of the codes of refused requests. */
    public static String codes() {
        return DECIDED.stream().map(RefusalCode::word).collect(Collectors.joining(", "));
    }

    /** Returns the code of a problem with which refused requests end. */
    public static ProblemCode problemCode(RefusalCode code) {
        return ProblemCode.valueOf(code.name());
    }
}
