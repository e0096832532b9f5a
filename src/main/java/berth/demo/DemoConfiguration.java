package berth.demo;

import berth.archive.Import;
import berth.archive.JournalExport;
import berth.archive.JournalExport.Journal;
import berth.database.DataDirectory;
import berth.database.EmbeddedServer;
import berth.database.Schema;
import berth.database.StartRefused;
import berth.runtime.Timekeeper;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.util.FileSystemUtils;

/** Makes the service a demo, with its own temporary data directory, if {@code berth.demo} is true. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("berth.demo")
class DemoConfiguration {

    private static final long SEED = 1;
    private static final String LOOPBACK = "127.0.0.1";

    /** The data directory unless somebody chose one. */
    private static final String UNCHOSEN = "data";

    /** Gives the service a temporary directory, which is deleted once everything else has ended, and lets it listen on this machine only. */
    @Bean
    static BeanFactoryPostProcessor ownPlace(ConfigurableEnvironment environment) {
        return factory -> {
            requireUnchosen(environment);
            var directory = temporaryDirectory();
            // the first to be registered is the last to be destroyed
            ((DefaultListableBeanFactory) factory)
                    .registerDisposableBean("demoDirectory", () -> FileSystemUtils.deleteRecursively(directory));
            var settings = new HashMap<String, Object>(
                    Map.of("berth.data-dir", directory.toString(), "server.address", LOOPBACK));
            if (environment.containsProperty("management.server.port")) {
                settings.put("management.server.address", LOOPBACK);
            }
            environment.getPropertySources().addFirst(new MapPropertySource("demo", settings));
        };
    }

    private static void requireUnchosen(Environment environment) {
        var directory = environment.getRequiredProperty("berth.data-dir");
        if (!directory.equals(UNCHOSEN)) {
            throw new StartRefused(
                    "BERTH_DEMO is set and so is BERTH_DATA_DIR, to %s, but a demo deletes its data."
                            .formatted(directory),
                    "Unset BERTH_DATA_DIR to see the demo, or BERTH_DEMO to use that directory.");
        }
        if (!environment.getProperty("spring.datasource.url", "").isBlank()) {
            throw new StartRefused(
                    "BERTH_DEMO is set and so is SPRING_DATASOURCE_URL, but a demo uses a database that it can delete.",
                    "Unset SPRING_DATASOURCE_URL to see the demo, or BERTH_DEMO to use that database.");
        }
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("berth-demo-");
        } catch (IOException e) {
            throw new StartRefused(
                    "The demo cannot create a temporary directory: " + e,
                    "Make the directory for temporary files writable, or choose another: -Djava.io.tmpdir=DIRECTORY.");
        }
    }

    /** Imports the history into the database as soon as it runs. Computes it while the database starts. */
    @Bean
    static BeanPostProcessor withHistory() {
        var now = Instant.now();
        var history = CompletableFuture.supplyAsync(() -> history(now));
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof EmbeddedServer server) {
                    fill(server, now, history.join());
                }
                return bean;
            }
        };
    }

    private static List<Journal> history(Instant now) {
        return Site.MACHINES.parallelStream()
                .map(machine -> Past.of(machine, now.getEpochSecond(), SEED))
                .toList();
    }

    private static void fill(EmbeddedServer server, Instant now, List<Journal> history) {
        try {
            var file = Files.createTempFile("berth-demo-", ".zip");
            try {
                JournalExport.write(file, Schema.known(Schema.flyway(server)), now, history);
                Import.into(server, file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Bean
    Demo demo(
            DataDirectory directory,
            Environment environment,
            Timekeeper timekeeper,
            @Value("${berth.demo-speed}") int speed) {
        return new Demo(directory, environment, timekeeper, speed);
    }

    /** Dates the responses of a fast demo by its time, and says how fast that runs, so that the page can follow. */
    @Bean
    FilterRegistrationBean<Filter> fastDates(Timekeeper timekeeper, @Value("${berth.demo-speed}") int speed) {
        var filter = new FilterRegistrationBean<Filter>((request, response, chain) -> {
            var answer = (HttpServletResponse) response;
            answer.setDateHeader(HttpHeaders.DATE, timekeeper.millis());
            answer.setIntHeader("Berth-Speed", speed);
            chain.doFilter(request, response);
        });
        filter.addUrlPatterns("/api/*");
        filter.setEnabled(speed > 1);
        return filter;
    }

    /** Lets the page ask for the demo's tokens without a token. */
    @Bean
    @Order(1)
    SecurityFilterChain demoTokens(HttpSecurity http) {
        return http.securityMatcher("/demo")
                .authorizeHttpRequests(calls -> calls.anyRequest().permitAll())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .build();
    }
}
