alter table account
    add limit_pe_hours_per_week bigint check (limit_pe_hours_per_week >= 1),
    add limit_cool_down bigint check (limit_cool_down >= 1),
    add limit_cool_down_after bigint check (limit_cool_down_after >= 0),
    add limit_starts_ahead integer check (limit_starts_ahead >= 0),
    add constraint cool_down check ((limit_cool_down is null) = (limit_cool_down_after is null));
comment on column account.limit_cool_down is 'the pause after a run that is at least as long as limit_cool_down_after, both in seconds';
