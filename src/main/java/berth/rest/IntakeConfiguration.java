package berth.rest;

import berth.desk.Desks;
import berth.desk.Rounds;
import berth.security.Account;
import berth.security.Accounts;
import berth.sla.AccountLimits;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Who decides what is collected: within the limits that accounts have when it is their turn. */
@Configuration(proxyBeanMethods = false)
class IntakeConfiguration {

    @Bean
    Rounds rounds(Desks desks, InstantSource clock, Accounts accounts) {
        return new Rounds(
                desks, clock, name -> accounts.find(name).map(Account::limits).orElse(AccountLimits.NONE));
    }
}
