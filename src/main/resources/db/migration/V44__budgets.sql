-- What projects may spend, and what reservations that are filed under a label take of it. What is owed for what is given up late.

alter table cluster
    add cancellation_free_until bigint         not null default 0,
    add cancellation_share      numeric(19, 6) not null default 0;
alter table cluster_version
    add cancellation_free_until bigint         not null default 0,
    add cancellation_share      numeric(19, 6) not null default 0;
comment on column cluster.cancellation_free_until is 'seconds before its start until which a reservation is given up for nothing';
comment on column cluster.cancellation_share is 'of its price, owed after that';

alter table event
    drop constraint event_concerns_one,
    add constraint event_concerns_one check (
        num_nonnulls(reservation, outage, cluster_version, job, jobs_waiting, request) = case type when 'BUDGET_LOW' then 0 else 1 end);

alter table project
    add mode text not null default 'TRACK' check (mode in ('TRACK', 'ENFORCE'));

create table project_grant (
    project      text        not null references project,
    id           text        not null,
    unit         text        not null,
    amount       numeric     not null check (amount > 0),
    credit_limit numeric     not null check (credit_limit >= 0),
    from_at      timestamptz not null,
    until_at     timestamptz not null,
    made_by      text        not null,
    created_at   timestamptz not null,
    expired      numeric,
    primary key (project, id)
);
comment on column project_grant.unit is 'an ISO 4217 currency, or PE_HOURS: then amounts are PE-seconds';
comment on column project_grant.expired is 'what was left of it at its end; null: it is not over';

create table ledger_entry (
    cluster            text        not null,
    sequence           bigint      not null,
    number             integer     not null,
    project            text        not null,
    at                 timestamptz not null,
    kind               text        not null check (kind in ('HOLD', 'RELEASE', 'ADJUST', 'CHARGE', 'CREDIT')),
    reservation        uuid        not null,
    version            integer     not null,
    owner              text        not null,
    currency           text        not null,
    amount             numeric     not null,
    pe_seconds         bigint      not null,
    name               text,
    start_at           timestamptz,
    end_at             timestamptz,
    booked_pe_seconds  bigint,
    used_pe_seconds    bigint,
    primary key (cluster, sequence, number)
);
comment on table ledger_entry is 'what follows from the events of reservations with a label; only added to, and written with what follows from the same event elsewhere';
comment on column ledger_entry.sequence is 'of the event';
comment on column ledger_entry.project is 'the label, whether it is a project or not';
comment on column ledger_entry.version is 'of the reservation after the event';
comment on column ledger_entry.amount is 'less than 0 only where the kind is ADJUST';
comment on column ledger_entry.name is 'like what follows, only where the kind is CHARGE or CREDIT';
create index ledger_entry_of_project on ledger_entry (project, at, sequence, cluster, number);
create index ledger_entry_of_reservation on ledger_entry (reservation);

-- what there is already, each as of its last event

create function pg_temp.work(parts jsonb, until bigint) returns bigint immutable language sql as $$
    select coalesce(sum((part -> 'pes')::bigint
        * greatest(0, least(until, (part -> 'slot' -> 'end')::bigint) - (part -> 'slot' -> 'start')::bigint)), 0)::bigint
    from jsonb_array_elements(parts) part
$$;

insert into ledger_entry (cluster, sequence, number, project, at, kind, reservation, version, owner, currency, amount, pe_seconds,
                          name, start_at, end_at, booked_pe_seconds, used_pe_seconds)
select reservation.cluster, last.sequence, 0, project, updated_at, kind, reservation.id, coalesce((json -> 'status' ->> 'version')::integer, 0),
       owner, currency, case kind when 'CREDIT' then (json -> 'charge' -> 'credit' ->> 'amount')::numeric else price end,
       case kind when 'CREDIT' then 0 else booked end,
       case when kind <> 'HOLD' then json -> 'origin' ->> 'name' end,
       case when kind <> 'HOLD' then start_at end, case when kind <> 'HOLD' then end_at end,
       case when kind <> 'HOLD' then booked end, case when kind <> 'HOLD' then used end
from (select id, cluster, project, owner, updated_at, currency, price, start_at, end_at, state, content::jsonb as json from reservation
      where project is not null) as reservation
    cross join lateral (select pg_temp.work(json -> 'placement' -> 'parts', 9223372036854775807) as booked,
                               pg_temp.work(json -> 'placement' -> 'parts', extract(epoch from updated_at)::bigint) as used) as taken
    cross join lateral (select case when state in ('HELD', 'CONFIRMED', 'RUNNING') then 'HOLD'
                                    when state = 'FAILED' and json -> 'charge' ? 'credit' then 'CREDIT'
                                    when state = 'COMPLETED' or state = 'CANCELLED' and (json -> 'placement' ? 'turns')
                                         and (json -> 'placement' ->> 'turns')::integer > 0 then 'CHARGE' end as kind) as what
    cross join lateral (select max(event.sequence) as sequence from event where event.reservation = reservation.id) as last
where kind is not null and last.sequence is not null;
