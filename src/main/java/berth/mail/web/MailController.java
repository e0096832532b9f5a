package berth.mail.web;

import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Account;
import berth.http.EntityTag;
import berth.http.MergePatch;
import berth.http.Patches;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.Texts;
import berth.mail.MailKind;
import berth.mail.Mailbox;
import berth.mail.Mailboxes;
import berth.sla.AccountName;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Calls about the mail of an account: an account changes its own, administrators change that of all accounts. */
@RestController
@RequestMapping("/api/v1/accounts/{name}/mail")
class MailController {

    private final Mailboxes mailboxes;
    private final MergePatch patches;

    MailController(Mailboxes mailboxes, MergePatch patches) {
        this.mailboxes = mailboxes;
        this.patches = patches;
    }

    /**
     * The mail of an account.
     *
     * @param enabled whether this Berth sends mail
     * @param address the mail address; null if there is none
     * @param proved whether news is sent to the address: an administrator set it, or its owner followed the link that was sent there
     * @param kinds the kinds of news that are sent
     * @param lead how long ahead mail announces starts and ends
     * @param dailyAt the hour of the day at which the news of a day comes in one mail; null for mail at once
     * @param zone the time zone of that hour and of the times in mail
     */
    @Schema(name = "MailState")
    record MailStateBody(
            boolean enabled,
            @Nullable String address,
            boolean proved,
            List<@Nullable MailKind> kinds,
            String lead,
            @Nullable Integer dailyAt,
            String zone) {

        static MailStateBody of(Mailbox mailbox, boolean isOn) {
            var wish = mailbox.wish();
            return new MailStateBody(
                    isOn,
                    Texts.orNull(wish.address()),
                    mailbox.isProved(),
                    MailBody.kinds(wish.kinds()),
                    Texts.duration(wish.lead()),
                    wish.dailyAt().isPresent() ? wish.dailyAt().getAsInt() : null,
                    MailBody.zone(wish.zone()));
        }
    }

    /** Reads where an account gets mail, and of what. */
    @GetMapping
    @Refuses(WRONG_STATE)
    ResponseEntity<MailStateBody> readMail(@PathVariable String name, @AuthenticationPrincipal Account caller) {
        return answer(Problem.done(mailboxes.find(new AccountName(name), caller)));
    }

    /**
     * Changes by a merge patch where an account gets mail, and of what. If an administrator sets the address, Berth uses it at once. If the
     * account sets it, Berth sends a link there, at most three in an hour, and nothing else until somebody has followed it.
     */
    @PatchMapping
    @Refuses({INVALID_TERMS, LIMIT_EXCEEDED, WRONG_STATE})
    ResponseEntity<MailStateBody> changeMail(
            @PathVariable String name,
            @RequestBody @Patches(MailBody.class) JsonNode patch,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account caller) {
        var expected = EntityTag.expected(ifMatch);
        return answer(Problem.done(mailboxes.change(
                new AccountName(name),
                caller,
                expected::includes,
                patch.has("address"),
                before -> patches.apply(patch, MailBody.of(before), MailBody.class)
                        .toWish())));
    }

    /** Sends the link that proves the address of an account again, at most three in an hour. */
    @PostMapping("/proof")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Refuses({LIMIT_EXCEEDED, WRONG_STATE})
    MailStateBody sendProof(@PathVariable String name, @AuthenticationPrincipal Account caller) {
        return MailStateBody.of(Problem.done(mailboxes.sendProof(new AccountName(name), caller)), mailboxes.isOn());
    }

    private ResponseEntity<MailStateBody> answer(Mailbox mailbox) {
        var body = MailStateBody.of(mailbox, mailboxes.isOn());
        return ResponseEntity.ok().eTag(EntityTag.of(mailbox.version(), body)).body(body);
    }
}
