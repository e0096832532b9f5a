package berth.rest;

import io.swagger.v3.oas.annotations.Hidden;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The calls of the contract that are still to come. */
@Hidden
@RestController
class NotBuiltController {

    @PostMapping({"/api/v1/coallocations", "/api/v1/coallocations/{id}/cancel"})
    void post() {
        throw notBuilt();
    }

    @GetMapping("/api/v1/coallocations/{id}")
    void get() {
        throw notBuilt();
    }

    private static Problem notBuilt() {
        return new Problem(
                ProblemCode.NOT_BUILT,
                "This call is part of the contract, but not built yet; a later version of the service will know it.");
    }
}
