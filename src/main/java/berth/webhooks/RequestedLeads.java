package berth.webhooks;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.scheduling.Leads;
import berth.sla.AccountName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Collects the leads that accounts and their webhooks ask for: administrators for all reservations, other accounts for their own. */
final class RequestedLeads {

    private final Set<Long> ofAll = new HashSet<>();
    private final Map<AccountName, Set<Long>> ofOwners = new HashMap<>();

    void add(Account account, Set<Long> leads) {
        if (!leads.isEmpty()) {
            with(account).addAll(leads);
        }
    }

    /** Adds leads that any account asks for its own reservations only. */
    void addOwn(AccountName account, Set<Long> leads) {
        ofOwners.computeIfAbsent(account, _ -> new HashSet<>()).addAll(leads);
    }

    /** Returns the leads of an account and its webhooks, or of all administrators together if it is one. */
    Set<Long> with(Account account) {
        return account.role() == Role.ADMIN ? ofAll : ofOwners.computeIfAbsent(account.name(), _ -> new HashSet<>());
    }

    Leads.Requests asked() {
        return new Leads.Requests(ofAll, ofOwners);
    }
}
