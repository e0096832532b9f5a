package berth.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.engine.SettableClock;
import berth.outcome.Outcome;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FirstSignInsTest {

    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    private static final AccountLimits FEW =
            new AccountLimits(OptionalInt.of(3), OptionalInt.of(8), OptionalLong.empty());
    private static final Account TEMPLATE =
            Account.fresh(new AccountName("template"), Role.CLIENT, 7, ServiceClass.PREMIUM, FEW);

    private final Accounts accounts = new Accounts(new MemoryAccounts());
    private final SettableClock clock = new SettableClock(NOON);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    FirstSignInsTest() {
        assertThat(accounts.create(TEMPLATE)).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void anAccountBecomesACopyOfTheTemplate() {
        var alice = new AccountName("alice");

        assertThat(make(made("template", List.of()), person("alice")))
                .isEqualTo(new Outcome.Done<>(Account.fresh(alice, Role.CLIENT, 7, ServiceClass.PREMIUM, FEW)));

        assertThat(accounts.find(alice)).isPresent();
        assertThat(count("made")).isEqualTo(1);
    }

    @Test
    void ofManyTokensAtOnceOneMakesTheAccount() throws Exception {
        var firstSignIns = made("template", List.of());
        Callable<Outcome<Account, String>> call = () -> make(firstSignIns, person("alice"));

        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var outcome : executor.invokeAll(
                    IntStream.range(0, 20).mapToObj(_ -> call).toList())) {
                assertThat(outcome.get()).isInstanceOf(Outcome.Done.class);
            }
        }

        assertThat(accounts.size()).isEqualTo(2);
        assertThat(count("made")).isEqualTo(1);
    }

    @Test
    void aDeletedAccountIsNotMadeAgain() {
        var admin = Account.fresh(new AccountName("admin"), Role.ADMIN, 5, ServiceClass.STANDARD, AccountLimits.NONE);
        assertThat(accounts.create(admin)).isInstanceOf(Outcome.Done.class);
        var firstSignIns = made("template", List.of());
        assertThat(make(firstSignIns, person("alice"))).isInstanceOf(Outcome.Done.class);
        assertThat(accounts.delete(new AccountName("alice"), admin, _ -> true)).isInstanceOf(Outcome.Done.class);

        assertRefused("no account of the name", make(firstSignIns, person("alice")));
    }

    @Test
    void nobodyGetsAnAccountWithoutAUsableTemplateOrName() {
        assertThat(accounts.create(Account.fresh(
                        new AccountName("boss"), Role.ADMIN, 5, ServiceClass.STANDARD, AccountLimits.NONE)))
                .isInstanceOf(Outcome.Done.class);

        assertRefused("no account of the name", make(made("", List.of()), person("alice")));
        assertRefused("account boss, which is the template", make(made("boss", List.of()), person("alice")));
        assertRefused("account gone, which is the template", make(made("gone", List.of()), person("alice")));
        for (var name : List.of("", "[admin]", "a b", "x\u0000", "n".repeat(64), "-rf")) {
            assertRefused("cannot be the name of an account", make(made("template", List.of()), person(name)));
        }
        assertThat(accounts.size()).isEqualTo(2);
    }

    @Test
    void withoutWhatBelongsToAnAccountThereIsNone() {
        var firstSignIns = made("template", List.of());
        var before = new ArrayList<Account>();

        assertThatThrownBy(() -> firstSignIns.make(person("alice"), _ -> {
                    throw new IllegalStateException("no database");
                }))
                .hasMessage("no database");
        assertThat(accounts.find(new AccountName("alice"))).isEmpty();
        var made = firstSignIns.make(person("alice"), before::add);

        assertThat(before)
                .singleElement()
                .satisfies(account -> assertThat(made).isEqualTo(new Outcome.Done<>(account)));
        assertThat(firstSignIns.make(person("alice"), before::add)).isEqualTo(made);
        assertThat(before).hasSize(1);
    }

    @Test
    void groupsDecideWhoGetsAnAccount() {
        var firstSignIns = made("template", List.of("staff", "guests"));

        assertRefused("none of its groups", make(firstSignIns, person("alice", "students")));
        assertThat(make(firstSignIns, person("alice", "students", "guests"))).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void accountsMadeWithinAMinuteAndInAllAreBounded() {
        var firstSignIns = made("template", List.of());
        for (var name : List.of("a", "b", "c")) {
            assertThat(make(firstSignIns, person(name))).isInstanceOf(Outcome.Done.class);
        }

        assertThatThrownBy(() -> make(firstSignIns, person("d"))).isInstanceOf(SignInUnavailable.class);
        assertThat(make(firstSignIns, person("a"))).isInstanceOf(Outcome.Done.class);
        clock.advance(Duration.ofSeconds(61));
        assertThat(make(firstSignIns, person("d"))).isInstanceOf(Outcome.Done.class);
        assertRefused("there are 5 accounts", make(firstSignIns, person("e")));
        assertThat(count("made")).isEqualTo(4);
        assertThat(count("refused")).isEqualTo(2);
    }

    private FirstSignIns made(String template, List<String> groups) {
        return new FirstSignIns(accounts, new IssuerSettings.FirstSignIn(template, groups, 3, 5), clock, registry);
    }

    private double count(String outcome) {
        return registry.get("berth.first.sign.ins")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private static Person person(String name, String... groups) {
        return new Person(new AccountName(name), Optional.empty(), Optional.empty(), Set.of(groups), NOON);
    }

    private static Outcome<Account, String> make(FirstSignIns firstSignIns, Person person) {
        return firstSignIns.make(person, _ -> {});
    }

    private static void assertRefused(String why, Outcome<Account, String> outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.NotDone.class,
                        refused -> assertThat(refused.why()).asString().contains(why));
    }
}
