package berth.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.ClusterId;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("it reads the log")
class UnlimitedAccountsTest {

    private static final AccountLimits FIVE_HOLDS = new AccountLimits(
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalLong.empty(),
            OptionalInt.of(9),
            OptionalInt.of(9),
            OptionalInt.of(5),
            OptionalLong.of(60));
    private static final AccountLimits SOME_PES =
            new AccountLimits(OptionalInt.empty(), OptionalInt.of(8), OptionalLong.empty());

    @Test
    void theLogNamesClientsWithoutLimits() {
        var agent = new Account(
                new AccountName("agent"),
                Role.AGENT,
                Optional.of(new ClusterId("demo")),
                5,
                ServiceClass.STANDARD,
                AccountLimits.NONE,
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                0);

        assertThat(said(List.of(
                        account("alice", Role.CLIENT, AccountLimits.NONE),
                        account("bob", Role.CLIENT, FIVE_HOLDS),
                        account("carol", Role.CLIENT, SOME_PES),
                        account("admin", Role.ADMIN, AccountLimits.NONE),
                        agent)))
                .singleElement()
                .asString()
                .startsWith(
                        "No limits on reservations: alice, bob. Such an account can reserve every PE up to the horizon")
                .contains("PATCH /api/v1/accounts/alice");
        assertThat(said(List.of(account("carol", Role.CLIENT, SOME_PES)))).isEmpty();
    }

    @Test
    void theLogNamesTenOfManyClientsWithoutLimits() {
        var many = new ArrayList<Account>();
        for (int i = 10; i < 50; i++) {
            many.add(account("a" + i, Role.CLIENT, AccountLimits.NONE));
        }

        assertThat(said(many))
                .singleElement()
                .asString()
                .contains("a18, a19 and 30 others.")
                .doesNotContain("a20");
    }

    private static Account account(String name, Role role, AccountLimits limits) {
        return Account.fresh(new AccountName(name), role, Account.STANDARD_PRIORITY, ServiceClass.STANDARD, limits);
    }

    private static List<String> said(List<Account> accounts) {
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var logger = (Logger) LoggerFactory.getLogger(UnlimitedAccounts.class);
        logger.addAppender(lines);
        try {
            UnlimitedAccounts.tell(accounts);
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
