package berth.rest;

import berth.broker.Request;
import berth.desk.KeyUse;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.security.Account;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
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
class ReserveRequests {

    /** The most clusters that a request may choose from. */
    private static final int MAX_CLUSTERS = 100;

    private static final int MAX_USERS = 50;
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._@-]{0,62}");

    private final ClusterLookup clusters;
    private final Rights rights;
    private final IdempotencyKeys keys;
    private final PolicyHook policy;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    ReserveRequests(ClusterLookup clusters, Rights rights, IdempotencyKeys keys, PolicyHook policy) {
        this.clusters = clusters;
        this.rights = rights;
        this.keys = keys;
        this.policy = policy;
    }

    /**
     * A request as it was sent.
     *
     * @param key under which it was
     * @param where it is to be reserved
     */
    record Asked(ReserveBody body, Account account, Request request, Optional<KeyUse> key, Where where) {

        /** For the errors that name its fields. */
        RequestFields sent() {
            return RequestFields.terms(body, "start", "hold", WaitBody.FIELD, "wait.until", OrderBy.FIELD);
        }
    }

    /** Where a request is to be reserved. */
    sealed interface Where {
        /**
         * On this cluster, which chooses.
         *
         * @param waitUntil until when it waits there for room, seconds since the epoch; empty: not at all
         */
        record At(ClusterId cluster, OptionalLong waitUntil) implements Where {}

        /** On this cluster, in the slot that the client likes best. */
        record BestOf(ClusterId cluster) implements Where {}

        /** On whichever it may be. */
        record Anywhere() implements Where {}
    }

    /** @throws Problem if a field is wrong, or there is no such cluster */
    Asked read(ReserveBody body, @Nullable String key, Account account) {
        var fields = new Fields(body);
        var origin = new Origin(
                        account.name(),
                        account.serviceClass(),
                        fields.label("name", body.name()),
                        fields.label("project", body.project()))
                .of(users(body.users(), fields));
        var terms = TermsBody.read(body.terms(), fields);
        var start = fields.instantUp("start", body.start());
        // who chooses the very start has the run begin then, unless it says until when it may be moved
        var wanted = start.isPresent() && terms.fixing().after().isEmpty()
                ? terms.fixing(terms.fixing().atOnce())
                : terms;
        var hold = fields.durationUp("hold", body.hold());
        var leeway = AcceptAlternativesBody.read(body.acceptAlternatives(), fields);
        var preference = OrderBy.read(body.orderBy(), fields);
        var only = only(body, fields);
        var waitUntil = WaitBody.read(body.waiting(), fields);
        checkWaiting(body, fields);
        fields.check();
        rights.requireFiling(account, origin.project());
        var where = where(body, waitUntil);
        policy.check(
                PolicyHook.Kind.RESERVE,
                account,
                origin,
                Optional.ofNullable(body.cluster()).map(ClusterId::new),
                wanted);
        var id = new ReservationId(ids.generate());
        return new Asked(
                body,
                account,
                new Request(id, origin, account.limits(), wanted, start, hold, preference, leeway, only),
                keys.use(key, account, "reserve", body),
                where);
    }

    /** The names of users on the machine, each once; {@code fields} collects what is wrong with them. */
    static List<String> users(@Nullable List<@Nullable String> given, Fields fields) {
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
            fields.invalid("users", users.size(), "must be %d at the most".formatted(MAX_USERS));
        }
        return users.stream().distinct().toList();
    }

    /** Who waits does so at one cluster, which chooses the slot as soon as it has one. */
    private static void checkWaiting(ReserveBody body, Fields fields) {
        if (body.waiting() == null) {
            return;
        }
        if (body.cluster() == null) {
            fields.invalid(WaitBody.FIELD, body.waiting(), "needs a cluster to wait for; name one of this Berth");
        }
        if (body.hold() != null) {
            fields.invalid(WaitBody.FIELD, body.waiting(), "does not go with hold; leave one of them out");
        }
        if (body.orderBy() != null) {
            fields.invalid(WaitBody.FIELD, body.waiting(), "does not go with orderBy; leave one of them out");
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
                    "does not go with a cluster of another Berth; leave it out, or name one of this Berth");
        }
        return body.orderBy() != null ? new Where.BestOf(named) : new Where.At(named, waitUntil);
    }

    /** The clusters that may be asked; none, if all may. */
    private Set<ClusterId> only(ReserveBody body, Fields fields) {
        var given = body.clusters();
        if (given == null) {
            return body.cluster() == null ? Set.of() : Set.of(new ClusterId(body.cluster()));
        }
        if (body.cluster() != null) {
            fields.invalid("clusters", given.size(), "does not go with cluster; send one of them");
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
                        "is no cluster; list the clusters to see which there are");
            } else {
                only.add(new ClusterId(cluster));
            }
        }
        return only;
    }
}
