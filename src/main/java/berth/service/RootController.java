package berth.service;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Serves the page at the root. A forward to the page would close the buffered response. */
@RestController
class RootController {

    private static final Resource PAGE = new ClassPathResource("static/index.html");

    @GetMapping(path = "/", produces = MediaType.TEXT_HTML_VALUE)
    Resource readPage() {
        return PAGE;
    }
}
