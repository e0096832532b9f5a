package berth.rest;

import berth.rest.Problem.FieldError;
import berth.security.Account;
import berth.security.Accounts;
import berth.security.Role;
import berth.sla.ServiceClass;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Accounts, for administrators. */
@RestController
class AccountsController {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,62}");

    private final Accounts accounts;

    AccountsController(Accounts accounts) {
        this.accounts = accounts;
    }

    record NewAccountBody(
            @Nullable String name,
            @Nullable Role role,
            @Nullable ServiceClass serviceClass) {}

    /** The token is shown this once. */
    record AccountBody(String name, Role role, ServiceClass serviceClass, String token) {}

    @PostMapping("/api/v1/accounts")
    @ResponseStatus(HttpStatus.CREATED)
    AccountBody create(
            @RequestBody NewAccountBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key) {
        if (key != null) {
            throw Problem.notBuilt(IdempotencyKeys.HEADER, key, "leave it out: a token is shown once");
        }
        var fields = new Fields();
        var name = fields.required("name", body.name, "");
        var role = fields.required("role", body.role, Role.CLIENT);
        if (body.name != null && !NAME.matcher(name).matches()) {
            fields.invalid("name", name, "must have 1 to 63 letters, digits, dots, hyphens, underscores or @");
        }
        fields.check();
        var account = new Account(name, role, body.serviceClass == null ? ServiceClass.STANDARD : body.serviceClass);
        var token = accounts.create(account)
                .orElseThrow(() -> new Problem(
                        ProblemCode.EXISTS, "Choose another name.", List.of(new FieldError("name", name, "is taken"))));
        return new AccountBody(name, role, account.serviceClass(), token);
    }
}
