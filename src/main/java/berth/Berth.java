package berth;

import org.springframework.boot.SpringApplication;

public final class Berth {
    private Berth() {}

    public static void main(String[] args) {
        SpringApplication.run(Service.class, args);
    }
}
