package berth.webhooks;

import berth.accounts.Accounts;
import berth.engine.Desks;
import berth.engine.Records;
import berth.projects.Projects;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the components for webhooks. */
@Configuration(proxyBeanMethods = false)
class WebhookConfiguration {

    @Bean
    Webhooks webhooks(
            WebhookStore store,
            Accounts accounts,
            Projects projects,
            Desks desks,
            Records records,
            InstantSource clock) {
        var webhooks = new Webhooks(store, accounts, projects, desks, records, clock);
        accounts.limitLeads(webhooks::admit);
        return webhooks;
    }

    @Bean
    ConcurrencyLimits messagesAtOnce(
            @Value("${berth.webhooks.in-all}") int inAll, @Value("${berth.webhooks.per-account}") int perAccount) {
        return new ConcurrencyLimits(inAll, perAccount);
    }

    @Bean
    Sender webhookSender(
            @Value("${berth.webhooks.allow}") List<String> networks, ConcurrencyLimits most, InstantSource clock) {
        return new Sender(new Addresses(networks), most.inAll(), clock);
    }

    @Bean
    Messenger webhookMessenger(Sender sender, Payloads payloads, InstantSource clock, ConcurrencyLimits most) {
        return new Messenger(sender, payloads, clock, most);
    }

    @Bean
    Deliveries deliveries(
            Webhooks webhooks,
            WebhookStore store,
            Desks desks,
            Records records,
            Messenger messenger,
            InstantSource clock,
            MeterRegistry registry) {
        return new Deliveries(webhooks, store, desks, records, messenger, clock, registry);
    }
}
