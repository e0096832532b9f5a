package berth.accounts.web;

import static berth.http.ProblemCode.EXISTS;
import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.http.EntityTag;
import berth.http.MergePatch;
import berth.http.Page;
import berth.http.Patches;
import berth.http.Problem;
import berth.http.Refuses;
import berth.sla.AccountName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Calls that manage accounts, for administrators. A client may change the leads of its own account. */
@RestController
@RequestMapping("/api/v1/accounts")
class AccountsController {

    private final Accounts accounts;
    private final MergePatch patches;

    AccountsController(Accounts accounts, MergePatch patches) {
        this.accounts = accounts;
        this.patches = patches;
    }

    /**
     * An account with its new token.
     *
     * @param token the token with which the account authenticates; returned only once
     */
    record TokenBody(@JsonUnwrapped AccountBody account, String token) {}

    /** Creates an account. The response contains its token, which is returned only once. */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({EXISTS, INVALID_TERMS, LIMIT_EXCEEDED})
    ResponseEntity<TokenBody> createAccount(@RequestBody AccountBody body) {
        var account = body.toAccount();
        var token = Problem.done(accounts.create(account));
        return ResponseEntity.created(URI.create("/api/v1/accounts/" + account.name()))
                .eTag(EntityTag.of(account.version(), AccountBody.of(account)))
                .body(new TokenBody(AccountBody.of(account), token));
    }

    /** Lists accounts, newest first. */
    @GetMapping
    Page<AccountBody> listAccounts(@RequestParam @Nullable String limit, @RequestParam @Nullable String after) {
        int most = Page.limit(limit);
        var found = accounts.list(Optional.ofNullable(after).map(AccountName::new), most + 1)
                .orElseThrow(() -> Page.badCursor(String.valueOf(after)));
        return Page.of(found, most, AccountBody::of, account -> account.name().value());
    }

    /** Reads an account. */
    @GetMapping("/{name}")
    ResponseEntity<AccountBody> readAccount(@PathVariable String name) {
        return answer(accounts.find(new AccountName(name)).orElseThrow(() -> Problem.notFound("account", name)));
    }

    /**
     * Changes an account by a merge patch. Administrators cannot give up their own role. A client may change only the `leads` of its own
     * account.
     */
    @PatchMapping("/{name}")
    @Refuses({INVALID_TERMS, LIMIT_EXCEEDED, WRONG_STATE})
    ResponseEntity<AccountBody> changeAccount(
            @PathVariable String name,
            @RequestBody @Patches(AccountBody.class) JsonNode patch,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account caller) {
        var expected = EntityTag.expected(ifMatch);
        return answer(Problem.done(accounts.change(
                new AccountName(name),
                caller,
                expected::includes,
                before -> patches.apply(patch, AccountBody.of(before), AccountBody.class)
                        .toChanged(before))));
    }

    /** Deletes an account. Its token becomes invalid at once; its reservations stay. */
    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Refuses(WRONG_STATE)
    void deleteAccount(
            @PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account caller) {
        var expected = EntityTag.expected(ifMatch);
        var unused = Problem.done(accounts.delete(new AccountName(name), caller, expected::includes));
    }

    /** Gives an account a new token, which is returned only once. The old token becomes invalid at once. */
    @PostMapping("/{name}/token")
    ResponseEntity<TokenBody> replaceToken(
            @PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account caller) {
        var expected = EntityTag.expected(ifMatch);
        var token = Accounts.newToken();
        var account = Problem.done(accounts.replaceToken(new AccountName(name), caller, expected::includes, token));
        return ResponseEntity.ok()
                .eTag(EntityTag.of(account.version(), AccountBody.of(account)))
                .body(new TokenBody(AccountBody.of(account), token));
    }

    private static ResponseEntity<AccountBody> answer(Account account) {
        return ResponseEntity.ok()
                .eTag(EntityTag.of(account.version(), AccountBody.of(account)))
                .body(AccountBody.of(account));
    }
}
