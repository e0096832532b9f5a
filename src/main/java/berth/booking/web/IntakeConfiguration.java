package berth.booking.web;

import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.booking.Broker;
import berth.booking.BrokerIntake;
import berth.booking.BrokerRounds;
import berth.booking.IntakeStore;
import berth.booking.Mirrors;
import berth.booking.Reservations;
import berth.cluster.Intake;
import berth.engine.AdmissionControl;
import berth.engine.Desks;
import berth.engine.Records;
import berth.engine.Rounds;
import berth.peers.Peers;
import berth.runtime.Threads;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sets up the rounds that decide collected requests. Each request is decided under the limits that its account has at that time. */
@Configuration(proxyBeanMethods = false)
class IntakeConfiguration {

    @Bean
    Rounds rounds(Desks desks, AdmissionControl admission, Threads threads, InstantSource clock, Accounts accounts) {
        return new Rounds(desks, admission, threads, clock, name -> limits(accounts, name));
    }

    @Bean
    BrokerRounds brokerRounds(
            Intake rules,
            IntakeStore store,
            Broker broker,
            Records records,
            Mirrors mirrors,
            Desks desks,
            Accounts accounts,
            RefusedRequests refused,
            Threads threads,
            InstantSource clock) {
        return new BrokerRounds(
                rules,
                store,
                broker::reserveOnce,
                broker::withdraw,
                id -> records.find(id).isPresent() || mirrors.known(id).isPresent(),
                name -> limits(accounts, name),
                refused::rejected,
                desks::isWorking,
                threads,
                clock);
    }

    @Bean
    Reservations reservations(
            Desks desks,
            AdmissionControl admission,
            Records records,
            Mirrors mirrors,
            Peers peers,
            Broker broker,
            BrokerIntake intake,
            Rounds rounds,
            BrokerRounds brokerRounds) {
        return new Reservations(desks, admission, records, mirrors, peers, broker, intake, rounds, brokerRounds);
    }

    private static AccountLimits limits(Accounts accounts, AccountName name) {
        return accounts.find(name).map(Account::limits).orElse(AccountLimits.NONE);
    }
}
