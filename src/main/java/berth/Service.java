package berth;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The service: everything below this package, wired by Spring. */
@SpringBootApplication
public class Service {}
