package empty;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** An application with Berth's starters, and with one entity, one repository and one controller. */
@SpringBootApplication
public class Empty {

    public static void main(String[] args) {
        SpringApplication.run(Empty.class, args);
    }

    @Bean
    SecurityFilterChain open(HttpSecurity http) {
        return http.authorizeHttpRequests(calls -> calls.anyRequest().permitAll())
                .build();
    }
}
