package berth.mail.web;

import static berth.http.ProblemCode.NOT_FOUND;

import berth.http.Fields;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.Required;
import berth.mail.MailKind;
import berth.mail.Mailboxes;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The calls behind the links in mail. They need no token of an account, because the links contain tokens of their own. */
@RestController
@Tag(name = "Mail links")
class MailLinksController {

    private static final Problem NO_PROOF = new Problem(
            NOT_FOUND,
            "The link is not valid any more: it is older than a day, or the account has another address now. Sign in, and let Berth send another link.");

    private static final Problem NO_OFF = new Problem(
            NOT_FOUND, "The link is not complete. Open the whole link, or sign in and choose your mail there.");

    private final Mailboxes mailboxes;

    MailLinksController(Mailboxes mailboxes) {
        this.mailboxes = mailboxes;
    }

    /**
     * A link that proves an address.
     *
     * @param token the token in the link
     */
    @Schema(name = "MailProof")
    record ProofBody(@Required @Nullable String token) {}

    /**
     * An address that is proved.
     *
     * @param account the account that gets mail
     * @param address where it gets mail
     */
    @Schema(name = "ProvedMail")
    record ProvedBody(String account, String address) {}

    /** Proves that the mail of an account reaches its owner, by the token in the link that was sent there. */
    @PostMapping("/api/v1/mail/proof")
    @Refuses(NOT_FOUND)
    ProvedBody proveAddress(@RequestBody ProofBody body) {
        var fields = new Fields(body);
        var token = fields.required("token", body.token, "");
        fields.check();
        var mailbox = mailboxes.prove(token).orElseThrow(() -> NO_PROOF);
        return new ProvedBody(
                mailbox.account().value(), mailbox.wish().address().orElseThrow());
    }

    /**
     * A kind of mail that is switched off.
     *
     * @param kind the kind
     */
    @Schema(name = "MailOff")
    record OffBody(MailKind kind) {}

    /**
     * Leads a browser to the page that switches one kind of an account's mail off. It changes nothing.
     *
     * @param token the token in the link
     */
    @GetMapping("/api/v1/mail/off/{token}")
    @ResponseStatus(HttpStatus.SEE_OTHER)
    void openMailOff(@PathVariable String token, HttpServletResponse response) {
        var page = mailboxes.offPage(token).orElseThrow(() -> NO_OFF);
        response.setHeader(HttpHeaders.LOCATION, page.toString());
    }

    /**
     * Switches one kind of an account's mail off, by the token in the links of a mail. Mail programs make this call, too (RFC 8058). Their
     * body is ignored.
     *
     * @param token the token in the link
     */
    @PostMapping("/api/v1/mail/off/{token}")
    OffBody switchMailOff(@PathVariable String token) {
        return new OffBody(mailboxes.switchOff(token).orElseThrow(() -> NO_OFF));
    }
}
