package berth.accounts;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the operator which accounts may reserve as much as they like. */
public final class UnlimitedAccounts {

    private static final Logger log = LoggerFactory.getLogger(UnlimitedAccounts.class);
    private static final int MAX_NAMED = 10;

    private UnlimitedAccounts() {}

    /** Logs which of the accounts are unlimited, if any. */
    public static void tell(List<Account> accounts) {
        words(accounts.stream().filter(Account::isUnlimited).toList()).ifPresent(log::info);
    }

    private static Optional<String> words(List<Account> unlimited) {
        if (unlimited.isEmpty()) {
            return Optional.empty();
        }
        var names = unlimited.stream()
                .limit(MAX_NAMED)
                .map(account -> account.name().value())
                .collect(Collectors.joining(", "));
        int others = unlimited.size() - MAX_NAMED;
        return Optional.of(
                "No limits on reservations: %s%s. Such an account can reserve every PE up to the horizon, and pays nothing for what it cancels unless the tariff charges cancellations. Set limits, such as PATCH /api/v1/accounts/%s {\"limits\":{\"pes\":64,\"peHours\":1000}}."
                        .formatted(
                                names,
                                others > 0 ? " and %d others".formatted(others) : "",
                                unlimited.getFirst().name()));
    }
}
