package berth.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.accounts.AccountStore.StoredAccount;
import berth.accounts.Accounts.Opened;
import berth.accounts.Accounts.Revoked;
import berth.accounts.MemoryAccounts.Fault;
import berth.accounts.MemoryAccounts.NoAnswer;
import berth.http.Problem;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.reservation.ClusterId;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AccountsTest {

    private static final Outcome<?, Refusal> NOT_YOURS = new Outcome.NotDone<>(new Refusal.NotYours("account"));

    private static final IntPredicate ANY = version -> true;
    private static final Account ADMIN = account("admin", Role.ADMIN);
    private static final Account ALICE = account("alice", Role.CLIENT);
    private static final AccountLimits FEW =
            new AccountLimits(OptionalInt.of(3), OptionalInt.empty(), OptionalLong.of(100));

    private final MemoryAccounts store = new MemoryAccounts();
    private final Accounts accounts = new Accounts(store);
    private final String adminToken = Problem.done(accounts.create(ADMIN));
    private final String aliceToken = Problem.done(accounts.create(ALICE));

    @Test
    void aNameIsUniqueAndItsTokenIdentifiesTheAccount() {
        assertThat(accounts.byToken(aliceToken)).contains(ALICE);
        assertThat(accounts.byToken(adminToken)).contains(ADMIN);
        assertThat(accounts.byToken("berth_guessed")).isEmpty();
        assertThat(accounts.create(ALICE)).matches(AccountsTest::isTaken);
        assertThat(new Accounts(store).byToken(aliceToken)).contains(ALICE);
    }

    @Test
    void aChangeAppliesAtOnceToTheExistingToken() {
        var outcome = accounts.change(ALICE.name(), ADMIN, ANY, AccountsTest::promoted);

        var changed = new Account(
                ALICE.name(),
                Role.VIEWER,
                Optional.empty(),
                Account.HIGHEST_PRIORITY,
                ServiceClass.PREMIUM,
                FEW,
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                1);
        assertThat(outcome).isEqualTo(new Outcome.Done<>(changed));
        assertThat(accounts.byToken(aliceToken)).contains(changed);
        assertThat(new Accounts(store).byToken(aliceToken)).contains(changed);
    }

    @Test
    void groupsGiveAndTakeARole() {
        var settings = new IssuerSettings(
                "sub",
                "groups",
                "name",
                List.of("ops", "root"),
                List.of("help"),
                new IssuerSettings.FirstSignIn("", List.of(), 1, 1));

        assertThat(accounts.follow(person(ALICE, "help", "root"), settings))
                .hasValueSatisfying(account -> assertThat(account.role()).isEqualTo(Role.ADMIN));
        assertThat(accounts.follow(person(ALICE, "help"), settings))
                .hasValueSatisfying(account -> assertThat(account.role()).isEqualTo(Role.VIEWER));
        assertThat(new Accounts(store).find(ALICE.name())).isEqualTo(accounts.find(ALICE.name()));
        int version = accounts.follow(person(ALICE, "ADMIN", "admin"), settings)
                .orElseThrow()
                .version();
        assertThat(accounts.find(ALICE.name()))
                .contains(ALICE.withDisplayName("Display name").withVersion(version));
        assertThat(accounts.follow(person(ALICE), settings).orElseThrow().version())
                .as("a token that changes nothing")
                .isEqualTo(version);
        // groups never take the role of an administrator by hand
        assertThat(accounts.follow(person(ADMIN, "help"), settings))
                .hasValueSatisfying(account -> assertThat(account.role()).isEqualTo(Role.ADMIN));
        accounts.delete(ALICE.name(), ADMIN, ANY);
        assertThat(accounts.follow(person(ALICE, "ops"), settings)).isEmpty();
    }

    private static Person person(Account account, String... groups) {
        return new Person(account.name(), Optional.of("Display name"), Optional.empty(), Set.of(groups), Instant.EPOCH);
    }

    @Test
    void aChangeOfTheRoleByAGroupEndsTheLeads() {
        var leading = ALICE.withLeads(Set.of(60L));

        assertThat(leading.withRoleOfGroups(Optional.of(Role.CLIENT))).isEqualTo(leading);
        assertThat(leading.withRoleOfGroups(Optional.of(Role.VIEWER)).leads()).isEmpty();
        assertThat(leading.withRoleOfGroups(Optional.of(Role.ADMIN)).withRoleOfGroups(Optional.empty()))
                .isEqualTo(ALICE);
    }

    @Test
    void aChangeThatChangesNothingLeavesTheVersion() {
        assertThat(accounts.change(ALICE.name(), ADMIN, ANY, account -> account))
                .isEqualTo(new Outcome.Done<>(ALICE));

        accounts.replaceToken(ALICE.name(), ADMIN, ANY, aliceToken + "2");
        assertThat(accounts.change(ALICE.name(), ADMIN, ANY, account -> ALICE))
                .isEqualTo(new Outcome.Done<>(ALICE.withVersion(1)));
        assertThat(accounts.change(ALICE.name(), ADMIN, ANY, account -> promoted(ALICE)))
                .isEqualTo(new Outcome.Done<>(promoted(ALICE).withVersion(2)));
    }

    @Test
    void aNewTokenInvalidatesTheOldOne() {
        var token = Accounts.newToken();

        assertThat(accounts.replaceToken(ALICE.name(), ADMIN, ANY, token))
                .isEqualTo(new Outcome.Done<>(ALICE.withVersion(1)));

        for (var known : List.of(accounts, new Accounts(store))) {
            assertThat(known.byToken(token)).contains(ALICE.withVersion(1));
            assertThat(known.byToken(aliceToken)).isEmpty();
        }
    }

    @Test
    void aDeletedAccountIsGoneAndItsNameStaysTaken() {
        assertThat(accounts.delete(ALICE.name(), ADMIN, ANY)).isInstanceOf(Outcome.Done.class);

        for (var known : List.of(accounts, new Accounts(store))) {
            assertThat(known.byToken(aliceToken)).isEmpty();
            assertThat(known.find(ALICE.name())).isEmpty();
            assertThat(known.list(Optional.empty(), 10).orElseThrow()).containsExactly(ADMIN);
            assertThat(known.create(ALICE)).matches(AccountsTest::isTaken);
            assertThat(known.delete(ALICE.name(), ADMIN, ANY))
                    .isEqualTo(new Outcome.NotDone<>(new Refusal.NotFound("account", "alice")));
            assertThat(known.replaceToken(ALICE.name(), ADMIN, ANY, Accounts.newToken()))
                    .isEqualTo(new Outcome.NotDone<>(new Refusal.NotFound("account", "alice")));
        }
        assertThat(store.accounts.values())
                .filteredOn(stored -> stored.name().equals(ALICE.name()))
                .allMatch(stored -> stored.tokenHash().isEmpty());
    }

    private static Feed feed() {
        return new Feed(
                UUID.randomUUID(),
                Accounts.hash(Accounts.newFeedSecret()),
                Optional.of(new ClusterId("sp2")),
                Optional.empty(),
                7);
    }

    @Test
    void aFeedIsOpenedByItsSecretUntilItIsRevoked() {
        var secret = Accounts.newFeedSecret();
        var feed = new Feed(UUID.randomUUID(), Accounts.hash(secret), Optional.empty(), Optional.of("climate"), 7);
        var other = feed();

        assertThat(accounts.addFeed(ALICE.name(), ALICE, feed)).isEqualTo(new Outcome.Done<>(feed));
        assertThat(accounts.addFeed(ALICE.name(), ADMIN, other)).isEqualTo(new Outcome.Done<>(other));

        for (var known : List.of(accounts, new Accounts(store))) {
            assertThat(known.byFeed(Accounts.hash(secret))).contains(new Opened(ALICE.withVersion(2), feed));
            assertThat(known.feeds(ALICE.name(), ALICE)).contains(List.of(feed, other));
            assertThat(known.byFeed(Accounts.hash("feed_guessed"))).isEmpty();
            assertThat(known.byToken(secret)).isEmpty();
            assertThat(known.byFeed(Accounts.hash(aliceToken))).isEmpty();
            assertThat(known.byToken(aliceToken)).contains(ALICE.withVersion(2));
        }

        assertThat(accounts.removeFeed(ALICE.name(), ALICE, feed.id())).isEqualTo(Revoked.DONE);
        assertThat(accounts.removeFeed(ALICE.name(), ALICE, feed.id())).isEqualTo(Revoked.NO_FEED);
        for (var known : List.of(accounts, new Accounts(store))) {
            assertThat(known.byFeed(feed.secretHash())).isEmpty();
            assertThat(known.byFeed(other.secretHash())).isPresent();
        }
    }

    @Test
    void onlyTheAccountAndAdministratorsManageItsFeeds() {
        var bob = account("bob", Role.CLIENT);
        accounts.create(bob);
        var feed = feed();
        accounts.addFeed(ALICE.name(), ALICE, feed);

        assertThat(accounts.addFeed(ALICE.name(), bob, feed())).isEqualTo(NOT_YOURS);
        assertThat(accounts.addFeed(new AccountName("nobody"), ADMIN, feed())).isEqualTo(NOT_YOURS);
        assertThat(accounts.feeds(ALICE.name(), bob)).isEmpty();
        assertThat(accounts.removeFeed(ALICE.name(), bob, feed.id())).isEqualTo(Revoked.NO_FEED);
        assertThat(accounts.removeFeed(bob.name(), bob, feed.id())).isEqualTo(Revoked.NO_FEED);
        assertThat(accounts.feeds(ALICE.name(), ADMIN)).contains(List.of(feed));
        // bob was an administrator when the request was authorised
        accounts.delete(bob.name(), ADMIN, ANY);
        assertThat(accounts.addFeed(ALICE.name(), account("bob", Role.ADMIN), feed()))
                .isEqualTo(NOT_YOURS);
    }

    @Test
    void anAccountHasALimitedNumberOfFeeds() {
        var feeds = Stream.generate(AccountsTest::feed).limit(Feed.MAX).toList();
        feeds.forEach(feed -> accounts.addFeed(ALICE.name(), ALICE, feed));

        assertThat(accounts.addFeed(ALICE.name(), ADMIN, feed()))
                .matches(outcome -> outcome instanceof Outcome.NotDone(Refusal.Enough _));
        accounts.removeFeed(ALICE.name(), ALICE, feeds.getFirst().id());
        assertThat(accounts.addFeed(ALICE.name(), ALICE, feeds.getFirst())).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void aFeedFollowsThePresentRightsOfItsAccount() {
        var feed = feed();
        accounts.addFeed(ALICE.name(), ALICE, feed);

        accounts.replaceToken(ALICE.name(), ADMIN, ANY, Accounts.newToken());
        assertThat(accounts.byFeed(feed.secretHash())).isPresent();
        accounts.change(ALICE.name(), ADMIN, ANY, AccountsTest::promoted);
        assertThat(accounts.byFeed(feed.secretHash())).isEmpty();
        assertThat(accounts.addFeed(ALICE.name(), ADMIN, feed()))
                .matches(outcome -> outcome instanceof Outcome.NotDone(Refusal.WrongState _))
                .asString()
                .contains("the role VIEWER has no reservations");
        accounts.change(ALICE.name(), ADMIN, ANY, account -> account.withRole(Role.CLIENT));
        assertThat(accounts.byFeed(feed.secretHash())).isPresent();
        accounts.delete(ALICE.name(), ADMIN, ANY);
        for (var known : List.of(accounts, new Accounts(store))) {
            assertThat(known.byFeed(feed.secretHash())).isEmpty();
        }
        assertThat(store.all()).allSatisfy(stored -> assertThat(stored.feeds()).isEmpty());
    }

    @Test
    void aRevokedFeedStaysClosedIfTheAnswerOfTheStoreIsLost() {
        var feed = feed();
        accounts.addFeed(ALICE.name(), ALICE, feed);

        store.next = Fault.LOST_ON_THE_WAY;
        assertThatThrownBy(() -> accounts.removeFeed(ALICE.name(), ALICE, feed.id()))
                .isInstanceOf(NoAnswer.class);
        assertThat(accounts.byFeed(feed.secretHash())).isPresent();
        store.next = Fault.ANSWER_LOST;
        assertThat(accounts.removeFeed(ALICE.name(), ALICE, feed.id())).isEqualTo(Revoked.DONE);
        assertThat(accounts.byFeed(feed.secretHash())).isEmpty();
    }

    @Test
    void aChangeOfAStaleVersionIsRejected() {
        accounts.change(ALICE.name(), ADMIN, ANY, AccountsTest::promoted);
        var present = accounts.find(ALICE.name()).orElseThrow();
        IntPredicate first = version -> version == 0;

        assertThat(Stream.of(
                        accounts.change(ALICE.name(), ADMIN, first, account -> account.withRole(Role.ADMIN)),
                        accounts.delete(ALICE.name(), ADMIN, first),
                        accounts.replaceToken(ALICE.name(), ADMIN, first, Accounts.newToken())))
                .containsOnly(new Outcome.NotDone<>(new Refusal.Stale(present.version())));
        assertThat(accounts.byToken(aliceToken)).contains(present);
    }

    @Test
    void anAdministratorCannotRemoveItsOwnRights() {
        assertThat(accounts.delete(ADMIN.name(), ADMIN, ANY))
                .matches(outcome -> outcome instanceof Outcome.NotDone(Refusal.WrongState _))
                .asString()
                .contains("cannot delete themselves");
        assertThat(accounts.change(ADMIN.name(), ADMIN, ANY, account -> account.withRole(Role.VIEWER)))
                .matches(outcome -> outcome instanceof Outcome.NotDone(Refusal.WrongState _))
                .asString()
                .contains("give up their role");
        assertThat(accounts.change(ADMIN.name(), ADMIN, ANY, account -> limited(account)))
                .isInstanceOf(Outcome.Done.class);
        var token = Accounts.newToken();
        assertThat(accounts.replaceToken(ADMIN.name(), ADMIN, ANY, token)).isInstanceOf(Outcome.Done.class);
        assertThat(accounts.byToken(token).map(Account::role)).contains(Role.ADMIN);
    }

    @Test
    void aFormerAdministratorChangesNothing() {
        var other = account("other", Role.ADMIN);
        assertThat(accounts.create(other)).isInstanceOf(Outcome.Done.class);
        accounts.delete(new AccountName("other"), ADMIN, ANY);

        assertThat(accounts.delete(ADMIN.name(), other, ANY))
                .matches(outcome -> outcome instanceof Outcome.NotDone(Refusal.NotAllowed _))
                .asString()
                .contains("no longer an administrator");
        assertThat(accounts.delete(ADMIN.name(), ALICE, ANY))
                .matches(outcome -> outcome instanceof Outcome.NotDone(Refusal.NotAllowed _))
                .asString()
                .contains("no longer an administrator");
    }

    @Test
    void oneOfTwoAdministratorsThatDeleteEachOtherRemains() throws Exception {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 200; round++) {
                var one = account("one" + round, Role.ADMIN);
                var two = account("two" + round, Role.ADMIN);
                accounts.create(one);
                accounts.create(two);
                var first = executor.submit(() -> accounts.delete(one.name(), two, ANY));
                var second = executor.submit(() -> accounts.delete(two.name(), one, ANY));
                assertThat(List.of(first.get(), second.get()))
                        .filteredOn(outcome -> outcome instanceof Outcome.Done)
                        .hasSize(1);
                assertThat(Stream.of(one, two)
                                .filter(each -> accounts.find(each.name()).isPresent()))
                        .hasSize(1);
            }
        }
    }

    @Test
    void anAccountItselfChangesOnlyItsLeads() {
        var ahead = accounts.change(ALICE.name(), ALICE, ANY, account -> account.withLeads(Set.of(3600L)));

        assertThat(ahead)
                .isEqualTo(new Outcome.Done<>(ALICE.withLeads(Set.of(3600L)).withVersion(1)));
        assertThat(accounts.askingAhead())
                .containsExactly(ALICE.withLeads(Set.of(3600L)).withVersion(1));
        for (UnaryOperator<Account> change : List.<UnaryOperator<Account>>of(
                AccountsTest::promoted,
                AccountsTest::limited,
                account -> limited(account).withLeads(Set.of()),
                account -> account.withRole(Role.ADMIN))) {
            assertThat(accounts.change(ALICE.name(), ALICE, ANY, change))
                    .matches(outcome -> outcome instanceof Outcome.NotDone(Refusal.NotAllowed _))
                    .asString()
                    .contains("only the leads of your own account");
        }
        assertThat(accounts.change(ALICE.name(), ALICE, version -> version == 0, account -> account))
                .isEqualTo(new Outcome.NotDone<>(new Refusal.Stale(
                        accounts.find(ALICE.name()).orElseThrow().version())));
        assertThat(accounts.change(ADMIN.name(), ALICE, ANY, account -> account.withLeads(Set.of(60L))))
                .isEqualTo(NOT_YOURS);
        assertThat(accounts.change(new AccountName("nobody"), ALICE, ANY, account -> account))
                .isEqualTo(NOT_YOURS);

        assertThat(accounts.change(ALICE.name(), ADMIN, ANY, account -> account.withLeads(Set.of())))
                .isEqualTo(new Outcome.Done<>(ALICE.withVersion(2)));
        accounts.change(ALICE.name(), ALICE, ANY, account -> account.withLeads(Set.of(60L)));
        accounts.delete(ALICE.name(), ADMIN, ANY);
        assertThat(accounts.askingAhead()).isEmpty();
        assertThat(accounts.change(ALICE.name(), ALICE, ANY, account -> account))
                .isEqualTo(NOT_YOURS);
    }

    @Test
    void aListIsNewestFirstAndGoesOnWhereItStopped() {
        var names = Stream.of("b", "a", "d", "c").peek(name -> accounts.create(account(name, Role.CLIENT)));
        assertThat(names).hasSize(4);
        accounts.delete(new AccountName("d"), ADMIN, ANY);

        assertThat(names(Optional.empty(), 2)).containsExactly("c", "a");
        assertThat(names(Optional.of("a"), 2)).containsExactly("b", "alice");
        assertThat(names(Optional.of("d"), 10)).containsExactly("a", "b", "alice", "admin");
        assertThat(names(Optional.of("admin"), 10)).isEmpty();
        assertThat(accounts.list(Optional.of(new AccountName("nobody")), 10)).isEmpty();
        assertThat(new Accounts(store).list(Optional.empty(), 10)).isEqualTo(accounts.list(Optional.empty(), 10));
    }

    /** Returns every kind of change with its outcome if nothing fails. */
    static Stream<Arguments> changes() {
        var bob = account("bob", Role.CLIENT);
        return Stream.of(
                Arguments.of((Change) known -> known.create(bob, "token of bob"), true),
                Arguments.of((Change) known -> known.change(ALICE.name(), ADMIN, ANY, AccountsTest::promoted), done(1)),
                Arguments.of((Change) known -> known.delete(ALICE.name(), ADMIN, ANY), done(0)),
                Arguments.of((Change) known -> known.replaceToken(ALICE.name(), ADMIN, ANY, "another token"), done(0)));
    }

    private static Outcome<Account, Refusal> done(int promotions) {
        var alice = promotions == 0 ? ALICE : promoted(ALICE);
        return new Outcome.Done<>(alice.withVersion(1));
    }

    interface Change {
        Object of(Accounts accounts);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeWhoseAnswerIsLostIsLookedUp(Change change, Object outcome) {
        store.next = Fault.ANSWER_LOST;

        assertThat(change.of(accounts)).isEqualTo(outcome);

        assertFollowsTheStore();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeThatFailsChangesNothing(Change change, Object outcome) {
        var before = List.copyOf(store.accounts.values());
        store.next = Fault.LOST_ON_THE_WAY;

        assertThatThrownBy(() -> change.of(accounts)).isInstanceOf(NoAnswer.class);

        assertThat(store.accounts.values()).containsExactlyElementsOf(before);
        assertFollowsTheStore();
        assertThat(change.of(accounts)).isEqualTo(outcome);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void anUncertainChangeCountsOnceTheStoreAnswersAgain(Change change, Object outcome) {
        var other = new Accounts(store);
        assertThatThrownBy(() -> {
                    store.isAway = true;
                    change.of(accounts);
                })
                .isInstanceOf(NoAnswer.class);
        assertThatThrownBy(accounts::resolve).isInstanceOf(NoAnswer.class);
        assertThat(accounts.byToken(aliceToken)).contains(ALICE);
        store.isAway = false;
        // the write whose answer was lost
        assertThat(change.of(other)).isEqualTo(outcome);

        accounts.resolve();

        assertFollowsTheStore();
    }

    @Test
    void accountsFollowChangesOfAnotherProcess() {
        var other = new Accounts(store);
        other.change(ALICE.name(), ADMIN, ANY, AccountsTest::promoted);
        other.create(account("bob", Role.CLIENT));

        assertThat(accounts.delete(ALICE.name(), ADMIN, ANY))
                .isEqualTo(new Outcome.NotDone<>(
                        new Refusal.Stale(other.find(ALICE.name()).orElseThrow().version())));
        assertThat(accounts.create(account("bob", Role.CLIENT))).matches(AccountsTest::isTaken);

        assertFollowsTheStore();
    }

    private void assertFollowsTheStore() {
        for (var stored : store.accounts.values()) {
            var present = stored.tokenHash().map(hash -> stored.account());
            assertThat(accounts.find(stored.name())).isEqualTo(present);
        }
        var fresh = new Accounts(store);
        for (var token : List.of(adminToken, aliceToken, "another token", "token of bob")) {
            assertThat(accounts.byToken(token)).isEqualTo(fresh.byToken(token));
        }
        assertThat(accounts.list(Optional.empty(), 100)).isEqualTo(fresh.list(Optional.empty(), 100));
    }

    private List<String> names(Optional<String> after, int limit) {
        return accounts.list(after.map(AccountName::new), limit).orElseThrow().stream()
                .map(account -> account.name().value())
                .toList();
    }

    private static boolean isTaken(Outcome<String, Refusal> outcome) {
        return outcome instanceof Outcome.NotDone(Refusal.Exists _);
    }

    private static Account promoted(Account account) {
        return new Account(
                account.name(),
                Role.VIEWER,
                Optional.empty(),
                Account.HIGHEST_PRIORITY,
                ServiceClass.PREMIUM,
                FEW,
                account.leads(),
                account.displayName(),
                account.roleByHand(),
                account.version());
    }

    private static Account limited(Account account) {
        return new Account(
                account.name(),
                account.role(),
                account.cluster(),
                account.priority(),
                account.serviceClass(),
                FEW,
                account.leads(),
                account.displayName(),
                account.roleByHand(),
                account.version());
    }

    private static Account account(String name, Role role) {
        return Account.fresh(
                new AccountName(name), role, Account.STANDARD_PRIORITY, ServiceClass.STANDARD, AccountLimits.NONE);
    }

    /** A new token or the end of an account does not wait for the rule, which may wait for a change of a webhook. */
    @Test
    void onlyNewAndChangedAccountsAreSubjectToTheRuleOnLeads() {
        var refusal = new Refusal.TooLong("leads", "Use fewer leads.");
        var asked = new ArrayList<List<Account>>();
        accounts.limitLeads((before, after, _) -> {
            asked.add(List.of(before, after));
            return new Outcome.NotDone<>(refusal);
        });
        var bob = account("bob", Role.CLIENT).withLeads(Set.of(60L));

        assertThat(accounts.create(bob)).isEqualTo(new Outcome.NotDone<>(refusal));
        assertThat(accounts.change(ALICE.name(), ALICE, ANY, alice -> alice.withLeads(Set.of(60L))))
                .isEqualTo(new Outcome.NotDone<>(refusal));
        assertThat(accounts.replaceToken(ALICE.name(), ADMIN, ANY, "another token"))
                .isInstanceOf(Outcome.Done.class);
        assertThat(accounts.delete(ALICE.name(), ADMIN, ANY)).isInstanceOf(Outcome.Done.class);

        assertThat(asked)
                .containsExactly(List.of(bob.withLeads(Set.of()), bob), List.of(ALICE, ALICE.withLeads(Set.of(60L))));
        assertThat(store.accounts.values()).extracting(StoredAccount::name).containsExactly(ADMIN.name(), ALICE.name());
        assertThat(accounts.askingAhead()).isEmpty();
    }

    @Test
    void onlyHashesOfTokensAreStored() {
        assertThat(store.accounts.values())
                .extracting(StoredAccount::tokenHash)
                .allSatisfy(hash -> assertThat(hash.orElseThrow()).hasSize(64).doesNotContain("berth_"));
    }
}
