package berth;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The service: every package below this one, wired by Spring. */
@SpringBootApplication
@EnableScheduling
public class Service {}
