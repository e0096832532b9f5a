package berth.accounts.web;

import berth.accounts.Account;
import berth.http.EntityTag;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The call that returns the caller's own account. */
@RestController
class MeController {

    /** Reads the caller's own account: its role decides what it may do, its limits how much it may have booked. */
    @GetMapping("/api/v1/me")
    ResponseEntity<AccountBody> readMe(@AuthenticationPrincipal Account account) {
        return ResponseEntity.ok()
                .eTag(EntityTag.of(account.version(), AccountBody.of(account)))
                .body(AccountBody.of(account));
    }
}
