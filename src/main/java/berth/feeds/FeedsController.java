package berth.feeds;

import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.accounts.Feed;
import berth.booking.web.ClusterLookup;
import berth.http.FeedSecret;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.Texts;
import berth.outcome.Refusal;
import berth.reservation.ClusterId;
import berth.sla.AccountName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Calls that manage feeds: an account manages its own, administrators manage those of all accounts. */
@RestController
@RequestMapping("/api/v1/accounts/{name}/feeds")
class FeedsController {

    private final Accounts accounts;
    private final ClusterLookup clusters;
    private final InstantSource clock;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    FeedsController(Accounts accounts, ClusterLookup clusters, InstantSource clock) {
        this.accounts = accounts;
        this.clusters = clusters;
        this.clock = clock;
    }

    /**
     * A feed to create.
     *
     * @param cluster the only cluster that the feed covers; all if left out
     * @param project the only project that the feed covers, with reservations of other members if the account is a member; if left out,
     *     the account's reservations in any project
     */
    @Schema(name = "NewFeed", example = "{\"cluster\":\"demo\"}")
    record NewFeedBody(@Nullable String cluster, @Nullable String project) {}

    /**
     * A feed.
     *
     * @param id id for revoking the feed
     * @param cluster the only cluster that the feed covers; null for all
     * @param project the only project that the feed covers, with reservations of other members if the account is a member; null for the
     *     account's reservations in any project
     * @param createdAt when the feed was made
     */
    @Schema(name = "Feed")
    record FeedBody(
            UUID id, @Nullable String cluster, @Nullable String project, Instant createdAt) {

        static FeedBody of(Feed feed) {
            return new FeedBody(
                    feed.id(),
                    Texts.orNull(feed.cluster().map(ClusterId::value)),
                    Texts.orNull(feed.project()),
                    Texts.instant(feed.createdAt()));
        }
    }

    /**
     * A feed with its secret.
     *
     * @param path path of the feed at this service. Anyone who has it can read the feed. It is returned only once
     */
    @Schema(name = "MadeFeed")
    record MadeFeedBody(@JsonUnwrapped FeedBody feed, String path) {}

    /**
     * The feeds of an account.
     *
     * @param items at most 10 feeds, oldest first
     */
    @Schema(name = "Feeds")
    record FeedsBody(List<FeedBody> items) {}

    /**
     * Makes a feed of the account's reservations for calendar programs. Its path contains a secret. The response contains the path, which
     * is returned only once.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({INVALID_TERMS, LIMIT_EXCEEDED, WRONG_STATE})
    MadeFeedBody makeFeed(
            @PathVariable String name, @RequestBody NewFeedBody body, @AuthenticationPrincipal Account caller) {
        var fields = new Fields(body);
        var cluster = fields.label("cluster", body.cluster).map(ClusterId::new);
        cluster.filter(id -> !clusters.isKnown(id))
                .ifPresent(id -> fields.invalid("cluster", id.value(), "is not a cluster of this service"));
        var project = fields.label("project", body.project);
        fields.check();
        var secret = Accounts.newFeedSecret();
        var feed = new Feed(
                ids.generate(),
                Accounts.hash(secret),
                cluster,
                project,
                clock.instant().getEpochSecond());
        var made = Problem.done(accounts.addFeed(new AccountName(name), caller, feed));
        return new MadeFeedBody(FeedBody.of(made), FeedSecret.path(secret));
    }

    /** Lists the feeds of an account, without their secrets. */
    @GetMapping
    FeedsBody listFeeds(@PathVariable String name, @AuthenticationPrincipal Account caller) {
        return new FeedsBody(
                accounts.feeds(new AccountName(name), caller).orElseThrow(FeedsController::noAccount).stream()
                        .map(FeedBody::of)
                        .toList());
    }

    /** Revokes a feed. Its path gives no access any more. */
    @DeleteMapping("/{feed}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revokeFeed(@PathVariable String name, @PathVariable String feed, @AuthenticationPrincipal Account caller) {
        var account = new AccountName(name);
        if (accounts.feeds(account, caller).isEmpty()) {
            throw noAccount();
        }
        var id = Texts.uuid(feed).orElseThrow(() -> Problem.notFound("feed", feed));
        switch (accounts.removeFeed(account, caller, id)) {
            case DONE -> {}
            case NO_FEED -> throw Problem.notFound("feed", feed);
            case BUSY -> throw Problem.busy();
        }
    }

    /** Returns the problem for an account that the caller may not see. A client must not learn which other accounts exist. */
    private static Problem noAccount() {
        return Problem.of(new Refusal.NotYours("account"));
    }
}
