package berth.accounts;

import berth.sla.AccountName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A store in memory whose next answers can be lost. */
public final class MemoryAccounts implements AccountStore {

    /** What happens to the next write. */
    public enum Fault {
        NONE,
        /** The write fails and changes nothing. */
        LOST_ON_THE_WAY,
        /** The write succeeds, but its answer is lost. */
        ANSWER_LOST
    }

    final Map<AccountName, StoredAccount> accounts = new LinkedHashMap<>();
    Fault next = Fault.NONE;
    boolean isAway;

    public static final class NoAnswer extends RuntimeException {}

    @Override
    public List<StoredAccount> all() {
        if (isAway) {
            throw new NoAnswer();
        }
        return List.copyOf(accounts.values());
    }

    @Override
    public List<StoredAccount> recorded() {
        return all();
    }

    @Override
    public boolean create(StoredAccount account) {
        return written(() -> accounts.putIfAbsent(account.name(), account) == null);
    }

    @Override
    public boolean update(StoredAccount account) {
        return written(() -> {
            var before = accounts.get(account.name());
            if (before == null
                    || before.account().version() + 1 != account.account().version()) {
                return false;
            }
            accounts.put(account.name(), account);
            return true;
        });
    }

    private boolean written(java.util.function.BooleanSupplier write) {
        var fault = Objects.requireNonNull(next);
        next = Fault.NONE;
        if (isAway || fault == Fault.LOST_ON_THE_WAY) {
            throw new NoAnswer();
        }
        boolean written = write.getAsBoolean();
        if (fault == Fault.ANSWER_LOST) {
            throw new NoAnswer();
        }
        return written;
    }
}
