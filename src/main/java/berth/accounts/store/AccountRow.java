package berth.accounts.store;

import berth.accounts.Account;
import berth.accounts.AccountStore.StoredAccount;
import berth.accounts.Feed;
import berth.accounts.Role;
import berth.reservation.ClusterId;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.FairUse;
import berth.sla.FairUse.CoolDown;
import berth.sla.ServiceClass;
import berth.store.Seconds;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;

/** The row of an account with the hash of its token, or of a deleted account. */
@Entity
@Table(name = "account")
@NullUnmarked
final class AccountRow {

    @Id
    String name;

    @Enumerated(EnumType.STRING)
    Role role;

    String cluster;

    int priority;

    @Enumerated(EnumType.STRING)
    ServiceClass serviceClass;

    Integer limitActiveReservations;
    Integer limitPes;
    Long limitPeHours;
    Integer limitJobs;
    Integer limitPendingRequests;
    Integer limitHolds;
    Long limitMaxHold;
    Long limitPeHoursPerWeek;
    Long limitCoolDown;
    Long limitCoolDownAfter;
    Integer limitStartsAhead;
    int version;
    String tokenHash;

    @Convert(converter = FeedsConverter.class)
    List<Feed> feeds;

    @Convert(converter = LeadsConverter.class)
    Set<Long> leads;

    String displayName;

    @Enumerated(EnumType.STRING)
    Role roleByHand;

    Instant createdAt;
    Instant deletedAt;

    static AccountRow of(StoredAccount stored) {
        var row = new AccountRow();
        row.name = stored.account().name().value();
        row.createdAt = Instant.now();
        row.become(stored);
        return row;
    }

    /** Copies everything except the name. */
    void become(StoredAccount stored) {
        var account = stored.account();
        role = account.role();
        cluster = account.cluster().map(ClusterId::value).orElse(null);
        priority = account.priority();
        serviceClass = account.serviceClass();
        var limits = account.limits();
        limitActiveReservations = Seconds.orNull(limits.activeReservations());
        limitPes = Seconds.orNull(limits.pes());
        limitPeHours = Seconds.orNull(limits.peHours());
        limitJobs = Seconds.orNull(limits.jobs());
        limitPendingRequests = Seconds.orNull(limits.pendingRequests());
        limitHolds = Seconds.orNull(limits.holds());
        limitMaxHold = Seconds.orNull(limits.maxHold());
        var fairUse = limits.fairUse();
        limitPeHoursPerWeek = Seconds.orNull(fairUse.peHoursPerWeek());
        limitCoolDown = fairUse.coolDown().map(CoolDown::duration).orElse(null);
        limitCoolDownAfter = fairUse.coolDown().map(CoolDown::after).orElse(null);
        limitStartsAhead = Seconds.orNull(fairUse.startsAhead());
        leads = account.leads();
        displayName = account.displayName().orElse(null);
        roleByHand = account.roleByHand().orElse(null);
        version = account.version();
        tokenHash = stored.tokenHash().orElse(null);
        feeds = stored.feeds();
        deletedAt = tokenHash == null ? Instant.now() : null;
    }

    StoredAccount toAccount() {
        var limits = new AccountLimits(
                Seconds.optional(limitActiveReservations),
                Seconds.optional(limitPes),
                Seconds.optional(limitPeHours),
                Seconds.optional(limitJobs),
                Seconds.optional(limitPendingRequests),
                Seconds.optional(limitHolds),
                Seconds.optional(limitMaxHold),
                new FairUse(
                        Seconds.optional(limitPeHoursPerWeek),
                        Optional.ofNullable(limitCoolDown).map(duration -> new CoolDown(duration, limitCoolDownAfter)),
                        Seconds.optional(limitStartsAhead)));
        return new StoredAccount(
                new Account(
                        new AccountName(name),
                        role,
                        Optional.ofNullable(cluster).map(ClusterId::new),
                        priority,
                        serviceClass,
                        limits,
                        leads == null ? Set.of() : leads,
                        Optional.ofNullable(displayName),
                        Optional.ofNullable(roleByHand),
                        version),
                Optional.ofNullable(tokenHash),
                feeds == null ? List.of() : feeds);
    }
}
