package berth.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.ConfigurationClassPostProcessor;
import org.springframework.core.env.MapPropertySource;

class MailConfigurationTest {

    @ParameterizedTest
    @CsvSource({"mail.example.org, true", "'', false", "' ', false"})
    void mailIsSentOnlyIfTheSettingsNameAServer(String host, boolean isSent) {
        try (var context = new AnnotationConfigApplicationContext()) {
            var settings = context.getEnvironment();
            settings.getPropertySources().addFirst(new MapPropertySource("test", Map.of("spring.mail.host", host)));
            context.register(MailConfiguration.class);
            var reader = new ConfigurationClassPostProcessor();
            reader.setEnvironment(settings);

            reader.postProcessBeanDefinitionRegistry(context);

            assertThat(context.containsBeanDefinition("mailboxes")).isTrue();
            assertThat(context.containsBeanDefinition("mailing")).isEqualTo(isSent);
        }
    }
}
