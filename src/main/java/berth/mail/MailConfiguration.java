package berth.mail;

import berth.accounts.Accounts;
import berth.database.Database;
import berth.database.Seal;
import berth.engine.Desks;
import berth.engine.Records;
import berth.projects.Projects;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertyResolver;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.mail.javamail.JavaMailSender;

/** Creates the components for mail. Without a mail server, nothing is sent, and nothing of the mail library runs. */
@Configuration(proxyBeanMethods = false)
class MailConfiguration {

    /** Names the mail server. */
    private static final String HOST = "spring.mail.host";

    @Bean
    PostgresMail postgresMail(Database database) {
        return new PostgresMail(database);
    }

    @Bean
    Links mailLinks(Seal seal, @Value("${berth.url}") String url, InstantSource clock) {
        return new Links(seal, url, clock);
    }

    @Bean
    Mailboxes mailboxes(
            PostgresMail table, Accounts accounts, Environment environment, Links links, InstantSource clock) {
        return new Mailboxes(table, accounts, hasServer(environment), links, clock);
    }

    private static boolean hasServer(PropertyResolver settings) {
        return !settings.getProperty(HOST, "").isBlank();
    }

    /** Is met if the settings name a mail server; an empty name is none. */
    static final class HasServer implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return hasServer(context.getEnvironment());
        }
    }

    /** The components of a Berth with a mail server. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(HasServer.class)
    @Import(EventMail.class)
    static class WithServer {

        @Bean
        Mailing mailing(
                PostgresMail table,
                Mailboxes mailboxes,
                Projects projects,
                Desks desks,
                Records records,
                Links links,
                JavaMailSender sender,
                @Value("${berth.url}") String url,
                @Value("${berth.mail.from}") String from,
                InstantSource clock,
                MeterRegistry registry) {
            if (!url.matches("https?://.+") || URI.create(url).getHost() == null) {
                throw new InvalidConfigurationPropertyValueException(
                        "berth.url",
                        url,
                        "It must be the URL at which people reach this Berth, because mail has links. Set BERTH_URL, or remove SPRING_MAIL_HOST.");
            }
            var address = from.isBlank() ? "berth@" + links.host() : from.strip();
            if (!from.isBlank() && !Mailbox.isAddress(address)) {
                throw new InvalidConfigurationPropertyValueException(
                        "berth.mail.from", from, "It must be a mail address, such as berth@example.org.");
            }
            return new Mailing(
                    table,
                    mailboxes,
                    projects,
                    desks,
                    records,
                    links,
                    new Post(sender, address, links.host(), clock),
                    clock,
                    registry);
        }

        /** Shows what the mail server did last. Berth works without it, so the service stays up. */
        @Bean
        HealthIndicator mailHealthIndicator(Mailing mailing) {
            return () -> {
                var health = Health.up();
                var last = mailing.last();
                last.acceptedAt().ifPresent(at -> health.withDetail("lastAccepted", at));
                last.failure()
                        .ifPresent(failure -> health.withDetail("lastFailure", failure.why())
                                .withDetail("lastFailureAt", failure.at()));
                return health.build();
            };
        }
    }
}
