package berth.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.outcome.Outcome;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

class AdminTokenTest {

    private static final AccountName ADMIN = new AccountName("admin");
    private static final String CHOSEN = "chosen-by-the-operator";

    private final MemoryAccounts store = new MemoryAccounts();
    private final Map<String, String> files = new HashMap<>();

    @Test
    void theFirstStartMakesAnAdministratorAndWritesItsTokenDown() {
        var accounts = start("");

        assertThat(accounts.byToken(written()).map(Account::role)).contains(Role.ADMIN);
        assertThat(accounts.byToken("another")).isEmpty();
        assertThat(store.accounts.values())
                .noneMatch(account -> account.tokenHash().orElseThrow().contains(written()));
    }

    @Test
    void laterStartsLeaveTheTokenAsItIs() {
        start("");
        var first = written();
        files.clear();

        assertThat(start("").byToken(first)).isPresent();
        assertThat(files).isEmpty();
    }

    @Test
    void aChosenTokenTakesThePlaceOfTheOld() {
        start("");
        var first = written();

        var accounts = start(CHOSEN);

        assertThat(written()).isEqualTo(CHOSEN);
        assertThat(accounts.byToken(CHOSEN)).isPresent();
        assertThat(accounts.byToken(first)).isEmpty();
        assertThat(start("").byToken(CHOSEN)).isPresent();
    }

    @Test
    void aTokenThatNoClientCouldSendIsRefusedAndNotShown() {
        for (var token : List.of("short", "with spaces, and commas", "zwölf-mal-zwölf-zeichen")) {
            assertThatThrownBy(() -> start(token))
                    .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                    .hasMessageContaining("BERTH_ADMIN_TOKEN")
                    .hasMessageNotContaining(token);
        }
    }

    @Test
    void aGivenTokenRestoresADeletedOrDemotedAdministrator() {
        var accounts = start("");
        var other = Account.fresh(
                new AccountName("other"),
                Role.ADMIN,
                Account.STANDARD_PRIORITY,
                ServiceClass.STANDARD,
                AccountLimits.NONE);
        assertThat(accounts.create(other)).isInstanceOf(Outcome.Done.class);

        accounts.change(ADMIN, other, version -> true, account -> account.withRole(Role.CLIENT));
        assertThat(start(CHOSEN).byToken(CHOSEN).map(Account::role)).contains(Role.ADMIN);

        accounts = start("");
        accounts.delete(ADMIN, other, version -> true);
        files.clear();
        assertThat(start("").find(ADMIN)).isEmpty();
        assertThat(files).isEmpty();
        assertThat(start(CHOSEN).byToken(CHOSEN).map(Account::role)).contains(Role.ADMIN);
    }

    @Test
    void aTokenThatIsGivenAtEachStartChangesTheAccountOnce() {
        start(CHOSEN);
        int version = start(CHOSEN).find(ADMIN).orElseThrow().version();

        assertThat(start(CHOSEN).find(ADMIN).orElseThrow().version()).isEqualTo(version);
    }

    private Accounts start(String given) {
        var accounts = new Accounts(store);
        new AdminToken(accounts, this::write, given).provide();
        return accounts;
    }

    private Path write(String name, String secret) {
        files.put(name, secret);
        return Path.of(name);
    }

    private String written() {
        return Optional.ofNullable(files.get("admin.token")).orElseThrow();
    }
}
