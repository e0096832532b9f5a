package berth.booking.web;

import berth.accounts.Account;
import berth.booking.Request;
import berth.booking.policy.PolicyHook;
import berth.booking.terms.AcceptAlternativesBody;
import berth.booking.terms.OrderBy;
import berth.booking.terms.TermsBody;
import berth.booking.terms.WaitBody;
import berth.engine.KeyUse;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.RequestFields;
import berth.reservation.Assignment;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.sla.RequestedTerms;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads requests for reservations. */
@Component
public class ReserveRequests {

    /** The largest number of clusters in a request. */
    private static final int MAX_CLUSTERS = 100;

    private static final int MAX_USERS = 50;
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._@-]{0,62}");

    private final ClusterLookup clusters;
    private final Rights rights;
    private final IdempotencyKeys keys;
    private final PolicyHook policy;
    private final InstantSource clock;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    ReserveRequests(
            ClusterLookup clusters, Rights rights, IdempotencyKeys keys, PolicyHook policy, InstantSource clock) {
        this.clusters = clusters;
        this.rights = rights;
        this.keys = keys;
        this.policy = policy;
        this.clock = clock;
    }

    /**
     * A request for a reservation, read from its body.
     *
     * @param caller the account that makes the request
     * @param account the account for which it reserves
     * @param key the use of its idempotency key
     * @param where where Berth looks for a slot
     */
    record ReserveRequest(
            ReserveBody body, Account caller, Account account, Request request, Optional<KeyUse> key, Where where) {

        /** Returns the fields of the request, for errors that name them. */
        RequestFields sent() {
            return RequestFields.terms(body, "start", "hold", WaitBody.FIELD, "wait.until", OrderBy.FIELD);
        }
    }

    /** Where Berth looks for a slot. */
    sealed interface Where {
        /**
         * One cluster, which chooses the slot.
         *
         * @param waitUntil the time until which the request waits there for room, in seconds since the epoch; empty if it does not wait
         */
        record At(ClusterId cluster, OptionalLong waitUntil) implements Where {}

        /** One cluster, in the slot that the client prefers. */
        record BestOf(ClusterId cluster) implements Where {}

        /** Any cluster that the request allows. */
        record Anywhere() implements Where {}
    }

    /**
     * Reads a request for a reservation.
     *
     * @param caller the account that makes the request
     * @throws Problem if a field is wrong, if there is no such cluster, or if the caller may not reserve for the account
     */
    ReserveRequest read(ReserveBody body, @Nullable String key, Account caller) {
        var fields = new Fields(body);
        var labels = fields.checked(body.labels());
        var users = users(body.users(), fields);
        var terms = TermsBody.read(body.terms(), fields, clock.instant().getEpochSecond());
        var start = fields.instantUp("start", body.start());
        // an exact start is final at once, unless the terms say how long the run may be moved
        var fixedTerms = start.isPresent() && terms.fixing().after().isEmpty()
                ? terms.fixing(terms.fixing().atOnce())
                : terms;
        var hold = fields.durationUp("hold", body.hold());
        var leeway = AcceptAlternativesBody.read(body.acceptAlternatives(), fields);
        var preference = OrderBy.read(body.orderBy(), fixedTerms, fields);
        var only = only(body, fields);
        var waitUntil = WaitBody.read(body.waiting(), fields);
        checkWaiting(body, fields);
        checkOrder(body, terms, fields);
        fields.check();
        rights.requireFiling(caller, labels.project());
        var account = body.account() == null ? caller : rights.bookedFor(caller, body.account(), labels.project());
        var origin = origin(account, caller, labels).withUsers(users);
        var where = where(body, waitUntil);
        var id = new ReservationId(ids.generate());
        return new ReserveRequest(
                body,
                caller,
                account,
                new Request(id, origin, account.limits(), fixedTerms, start, hold, preference, leeway, only),
                keys.use(key, caller, "reserve", body),
                where);
    }

    private static Origin origin(Account account, Account caller, ClientLabels labels) {
        var own = new Origin(account.name(), account.serviceClass(), labels);
        return account.name().equals(caller.name())
                ? own
                : own.assigned(new Assignment(account.name(), Optional.empty(), caller.name()));
    }

    /**
     * Returns a request that the site's policy allows, perhaps only with the approval of a person.
     *
     * @throws Problem if the policy does not allow it, or does not answer
     */
    ReserveRequest allowed(ReserveRequest asked) {
        var verdict = policy.ask(
                PolicyHook.Kind.RESERVE,
                asked.account().customer(),
                asked.caller().name(),
                asked.request().origin().project(),
                Optional.ofNullable(asked.body().cluster()).map(ClusterId::new),
                asked.request().terms());
        return Refusals.allowed(verdict)
                .map(why -> new ReserveRequest(
                        asked.body(),
                        asked.caller(),
                        asked.account(),
                        asked.request().toApprove(why),
                        asked.key(),
                        asked.where()))
                .orElse(asked);
    }

    /** Returns the names of users on the machine without duplicates. Mistakes go to {@code fields}. */
    public static List<String> users(@Nullable List<@Nullable String> given, Fields fields) {
        var users = fields.each("users", given == null ? List.of() : given, (user, _) -> user);
        for (int i = 0; i < users.size(); i++) {
            if (!USER.matcher(users.get(i)).matches()) {
                fields.malformed(
                        "users[%d]".formatted(i),
                        users.get(i),
                        "must be the name of a user on the machine: letters, digits, dots, hyphens and underscores");
            }
        }
        if (users.size() > MAX_USERS) {
            fields.invalid("users", users.size(), "must be at most %d users".formatted(MAX_USERS));
        }
        return users.stream().distinct().toList();
    }

    /** Checks that a waiting request names one cluster and leaves the choice of the slot to it. */
    private static void checkWaiting(ReserveBody body, Fields fields) {
        if (body.waiting() == null) {
            return;
        }
        if (body.cluster() == null) {
            fields.invalid(WaitBody.FIELD, body.waiting(), "needs a cluster to wait for; name one of this Berth");
        }
        if (body.hold() != null) {
            fields.invalid(WaitBody.FIELD, body.waiting(), "cannot be combined with hold; leave one of them out");
        }
        if (body.orderBy() != null) {
            fields.invalid(WaitBody.FIELD, body.waiting(), "cannot be combined with orderBy; leave one of them out");
        }
    }

    /** Checks that a request which orders slots leaves a choice among them. */
    private void checkOrder(ReserveBody body, RequestedTerms terms, Fields fields) {
        boolean hasDefault = body.cluster() != null
                && !terms.areFinalAtOnce()
                && clusters.hasDefaultSlack(new ClusterId(body.cluster()));
        if (body.orderBy() != null && terms.deadline().isEmpty() && !hasDefault) {
            fields.invalid(
                    OrderBy.FIELD,
                    body.orderBy(),
                    "needs freedom: without terms.slack and terms.deadline, the run gets the first place; send one of them, or leave this out");
        }
    }

    private Where where(ReserveBody body, OptionalLong waitUntil) {
        if (body.cluster() == null) {
            return new Where.Anywhere();
        }
        var named = new ClusterId(body.cluster());
        clusters.requireKnown(named);
        if (waitUntil.isPresent() && !clusters.isHere(named)) {
            throw Problem.field(
                    ProblemCode.INVALID_TERMS,
                    WaitBody.FIELD,
                    body.waiting(),
                    "cannot be combined with a cluster of another Berth; leave it out, or name a cluster of this Berth");
        }
        return body.orderBy() != null ? new Where.BestOf(named) : new Where.At(named, waitUntil);
    }

    /** Returns the clusters to which the request is restricted; empty if it allows all. */
    private Set<ClusterId> only(ReserveBody body, Fields fields) {
        var given = body.clusters();
        if (given == null) {
            return body.cluster() == null ? Set.of() : Set.of(new ClusterId(body.cluster()));
        }
        if (body.cluster() != null) {
            fields.invalid("clusters", given.size(), "cannot be combined with cluster; send one of them");
        }
        if (given.isEmpty() || given.size() > MAX_CLUSTERS) {
            fields.invalid(
                    "clusters",
                    given.size(),
                    "must name 1 to %d clusters; leave it out to ask all".formatted(MAX_CLUSTERS));
            return Set.of();
        }
        var only = new LinkedHashSet<ClusterId>();
        for (int i = 0; i < given.size(); i++) {
            var cluster = given.get(i);
            if (cluster == null) {
                fields.malformed("clusters[%d]".formatted(i), null, "must name a cluster");
            } else if (!clusters.isKnown(new ClusterId(cluster))) {
                fields.invalid(
                        "clusters[%d]".formatted(i),
                        cluster,
                        "is not the id of a cluster; list the clusters to see their ids");
            } else {
                only.add(new ClusterId(cluster));
            }
        }
        return only;
    }
}
