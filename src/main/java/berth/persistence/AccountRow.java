package berth.persistence;

import berth.security.Account;
import berth.security.AccountStore.StoredAccount;
import berth.security.Role;
import berth.sla.ServiceClass;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/** An account with the hash of its token. */
@Entity
@Table(name = "account")
@NullUnmarked
class AccountRow {

    @Id
    String name;

    @Enumerated(EnumType.STRING)
    Role role;

    @Enumerated(EnumType.STRING)
    ServiceClass serviceClass;

    String tokenHash;
    Instant createdAt;

    static AccountRow of(StoredAccount stored, Instant createdAt) {
        var row = new AccountRow();
        row.name = stored.account().name();
        row.role = stored.account().role();
        row.serviceClass = stored.account().serviceClass();
        row.tokenHash = stored.tokenHash();
        row.createdAt = createdAt;
        return row;
    }

    StoredAccount toAccount() {
        return new StoredAccount(new Account(name, role, serviceClass), tokenHash);
    }
}
