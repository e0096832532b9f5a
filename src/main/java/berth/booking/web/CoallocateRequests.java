package berth.booking.web;

import berth.accounts.Account;
import berth.booking.Coallocations.RequestedPart;
import berth.booking.Coallocations.Wanted;
import berth.booking.policy.PolicyHook;
import berth.booking.terms.AcceptAlternativesBody;
import berth.booking.terms.TermsBody;
import berth.booking.web.CoallocateBody.CoallocatePartBody;
import berth.engine.KeyUse;
import berth.http.Fields;
import berth.http.Problem;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads requests for co-allocations. */
@Component
class CoallocateRequests {

    private static final int MAX_PARTS = 20;

    private final ClusterLookup clusters;
    private final Rights rights;
    private final IdempotencyKeys keys;
    private final PolicyHook policy;
    private final InstantSource clock;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    CoallocateRequests(
            ClusterLookup clusters, Rights rights, IdempotencyKeys keys, PolicyHook policy, InstantSource clock) {
        this.clusters = clusters;
        this.rights = rights;
        this.keys = keys;
        this.policy = policy;
        this.clock = clock;
    }

    /**
     * A request with its idempotency key.
     *
     * @param body the request as it was sent
     * @param wanted the request in core values
     * @param key the key that the client sent, if it sent one
     */
    record ParsedRequest(CoallocateBody body, Wanted wanted, Optional<KeyUse> key) {}

    /**
     * Reads a request for a co-allocation.
     *
     * @throws Problem if a field is invalid, or if there is no such cluster
     */
    ParsedRequest read(CoallocateBody body, @Nullable String key, Account account) {
        return new ParsedRequest(body, wanted(body, account), keys.use(key, account, "coallocate", body));
    }

    /**
     * Checks that the site's policy allows each part.
     *
     * @throws Problem if it does not, or does not answer
     */
    void requireAllowed(Wanted wanted, Account account) {
        wanted.parts()
                .forEach(part -> Refusals.requireAllowed(
                        policy.ask(
                                PolicyHook.Kind.COALLOCATE,
                                account.customer(),
                                account.name(),
                                wanted.origin().project(),
                                Optional.of(part.cluster()),
                                part.terms()),
                        account));
    }

    private Wanted wanted(CoallocateBody body, Account account) {
        var fields = new Fields(body);
        var origin = new Origin(account.name(), account.serviceClass(), fields.checked(body.labels()));
        var given = fields.required("parts", body.parts(), List.<@Nullable CoallocatePartBody>of());
        if (body.parts() != null && (given.size() < 2 || given.size() > MAX_PARTS)) {
            fields.invalid("parts", given.size(), "must be 2 to %d".formatted(MAX_PARTS));
        }
        var parts = new ArrayList<RequestedPart>();
        var named = new HashSet<ClusterId>();
        for (int i = 0; i < Math.min(given.size(), MAX_PARTS); i++) {
            part(given.get(i), "parts[%d]".formatted(i), named, fields).ifPresent(parts::add);
        }
        var leeway = AcceptAlternativesBody.read(body.acceptAlternatives(), fields);
        fields.check();
        rights.requireFiling(account, origin.project());
        return new Wanted(
                ids.generate(), () -> new ReservationId(ids.generate()), origin, account.limits(), parts, leeway);
    }

    private Optional<RequestedPart> part(
            @Nullable CoallocatePartBody given, String path, HashSet<ClusterId> named, Fields fields) {
        if (given == null) {
            fields.malformed(path, null, "is required");
            return Optional.empty();
        }
        var cluster = new ClusterId(fields.required(path + ".cluster", given.cluster(), ""));
        if (given.cluster() != null) {
            if (!named.add(cluster)) {
                fields.invalid(
                        path + ".cluster",
                        cluster.value(),
                        "is also the cluster of another part. Use a different cluster for each part.");
            } else if (!clusters.isKnown(cluster)) {
                fields.invalid(
                        path + ".cluster",
                        cluster.value(),
                        "is not a known cluster. List the clusters to see which exist.");
            }
        }
        return Optional.of(new RequestedPart(
                cluster,
                TermsBody.read(given.terms(), fields.at(path), clock.instant().getEpochSecond())));
    }
}
