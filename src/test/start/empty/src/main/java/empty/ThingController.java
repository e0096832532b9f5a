package empty;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The one call. */
@RestController
class ThingController {
    private final ThingRepository things;

    ThingController(ThingRepository things) {
        this.things = things;
    }

    @GetMapping("/things")
    List<Thing> listThings() {
        return things.findAll();
    }
}
