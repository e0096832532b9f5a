package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.LIMIT_EXCEEDED;
import static berth.rest.ProblemCode.WRONG_STATE;

import berth.reservation.ClusterId;
import berth.security.Account;
import berth.security.Accounts;
import berth.security.Accounts.Asked;
import berth.security.Feed;
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

/** The feeds of accounts: an account has its own, an administrator makes and revokes them for all. */
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
     * A feed to be made.
     *
     * @param cluster the only one that it tells of; all, if left out
     * @param project the only one that it tells of, with what others have filed there if the account is a member; whatever reservations are filed
     *     under, if left out
     */
    @Schema(name = "NewFeed", example = "{\"cluster\":\"demo\"}")
    record NewFeedBody(@Nullable String cluster, @Nullable String project) {}

    /**
     * A feed.
     *
     * @param id by which it is revoked
     * @param cluster the only one that it tells of; null: all
     * @param project the only one that it tells of, with what others have filed there if the account is a member; null: whatever reservations are
     *     filed under
     * @param createdAt when it was made
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
     * @param path where it is read, at this service; whoever has it reads the feed. Shown this once
     */
    @Schema(name = "MadeFeed")
    record MadeFeedBody(@JsonUnwrapped FeedBody feed, String path) {}

    /**
     * The feeds of an account.
     *
     * @param items oldest first, at most 10
     */
    @Schema(name = "Feeds")
    record FeedsBody(List<FeedBody> items) {}

    /**
     * Makes a feed: what the account has reserved, for calendar programs, at a path with a secret of its own. The answer has the path,
     * shown this once.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({INVALID_TERMS, LIMIT_EXCEEDED, WRONG_STATE})
    MadeFeedBody makeFeed(
            @PathVariable String name, @RequestBody NewFeedBody body, @AuthenticationPrincipal Account caller) {
        var fields = new Fields(body);
        var cluster = fields.label("cluster", body.cluster).map(ClusterId::new);
        cluster.filter(id -> !clusters.isKnown(id))
                .ifPresent(id -> fields.invalid("cluster", id.value(), "is no cluster of this service"));
        var project = fields.label("project", body.project);
        fields.check();
        var secret = Accounts.newFeedSecret();
        var feed = new Feed(
                ids.generate(),
                Accounts.hash(secret),
                cluster,
                project,
                clock.instant().getEpochSecond());
        return switch (accounts.addFeed(new AccountName(name), caller, feed)) {
            case Asked.Made(var made) -> new MadeFeedBody(FeedBody.of(made), FeedSecret.path(secret));
            case Asked.NoAccount() -> throw noAccount();
            case Asked.NothingToTell(var role) ->
                throw new Problem(
                        WRONG_STATE,
                        "An account of the role %s has no reservations that a feed could tell of; make one for another account."
                                .formatted(role));
            case Asked.Enough() ->
                throw new Problem(
                        LIMIT_EXCEEDED,
                        "An account may have %d feeds; revoke one that nobody reads.".formatted(Feed.MAX));
            case Asked.Busy() -> throw Problem.busy();
        };
    }

    /** Lists the feeds of an account, without their secrets. */
    @GetMapping
    FeedsBody listFeeds(@PathVariable String name, @AuthenticationPrincipal Account caller) {
        return new FeedsBody(
                accounts.feeds(new AccountName(name), caller).orElseThrow(FeedsController::noAccount).stream()
                        .map(FeedBody::of)
                        .toList());
    }

    /** Revokes a feed: its path opens nothing any more. */
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

    /** Whether there is one of that name is nobody's business but its own. */
    static Problem noAccount() {
        return new Problem(ProblemCode.NOT_FOUND, "There is no such account, or it is not yours.");
    }
}
