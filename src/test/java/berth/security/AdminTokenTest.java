package berth.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.security.AccountStore.StoredAccount;
import berth.sla.ServiceClass;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

class AdminTokenTest {

    private static final String CHOSEN = "chosen-by-the-operator";

    private final MemoryAccounts store = new MemoryAccounts();
    private final Map<String, String> files = new HashMap<>();

    @Test
    void theFirstStartMakesAnAdministratorAndWritesItsTokenDown() {
        var accounts = start("");

        assertThat(accounts.byToken(written()).map(Account::role)).contains(Role.ADMIN);
        assertThat(accounts.byToken("another")).isEmpty();
        assertThat(store.accounts.values())
                .noneMatch(account -> account.tokenHash().contains(written()));
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
    void aNameIsGivenOnceAndItsTokenTellsWhoCalls() {
        var accounts = start("");
        var alice = new Account("alice", Role.CLIENT, ServiceClass.PREMIUM);

        var token = accounts.create(alice).orElseThrow();

        assertThat(accounts.byToken(token)).contains(alice);
        assertThat(accounts.create(alice)).isEmpty();
        assertThat(start("").byToken(token)).contains(alice);
    }

    @Test
    void anAccountWhoseTokenNobodyHeardGetsANewOne() {
        var accounts = start("");
        var alice = new Account("alice", Role.CLIENT, ServiceClass.STANDARD);
        store.create(new StoredAccount(alice, "hash of a token that was lost on its way"));

        var token = accounts.create(alice).orElseThrow();

        assertThat(start("").byToken(token)).contains(alice);
        store.create(new StoredAccount(new Account("bob", Role.ADMIN, ServiceClass.STANDARD), "another"));
        assertThat(accounts.create(new Account("bob", Role.CLIENT, ServiceClass.STANDARD)))
                .isEmpty();
    }

    private Accounts start(String given) {
        var accounts = new Accounts(store);
        var unused = new AdminToken(accounts, this::write, given);
        return accounts;
    }

    private Path write(String name, String secret) {
        files.put(name, secret);
        return Path.of(name);
    }

    private String written() {
        return Optional.ofNullable(files.get("admin.token")).orElseThrow();
    }

    private static final class MemoryAccounts implements AccountStore {
        private final Map<String, StoredAccount> accounts = new HashMap<>();

        @Override
        public List<StoredAccount> all() {
            return List.copyOf(accounts.values());
        }

        @Override
        public boolean create(StoredAccount account) {
            return accounts.putIfAbsent(account.account().name(), account) == null;
        }

        @Override
        public void update(StoredAccount account) {
            accounts.put(account.account().name(), account);
        }
    }
}
