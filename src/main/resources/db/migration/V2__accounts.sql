-- Accounts change and are deleted. The row of a deleted account stays: its reservations must not fall to another of its name.

alter table account
    add column version                   integer not null default 0,
    add column limit_active_reservations integer check (limit_active_reservations >= 0),
    add column limit_pes                 integer check (limit_pes > 0),
    add column limit_pe_hours            bigint check (limit_pe_hours > 0),
    add column deleted_at                timestamptz,
    alter column token_hash drop not null,
    add check ((token_hash is null) = (deleted_at is not null));
alter table account alter column version drop default;
comment on column account.version is 'how often it has changed since it was created';
