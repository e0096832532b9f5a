package berth;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The service: everything below this package, wired by Spring. */
@SpringBootApplication
@EnableScheduling
public class Service {}
