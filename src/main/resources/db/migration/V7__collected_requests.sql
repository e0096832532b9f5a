-- Requests that are collected and decided in rounds. One that is granted has a reservation of the same id.

create table request (
    id            uuid primary key,
    cluster       text not null references cluster (id),
    owner         text not null,
    service_class text not null,
    name          text,
    project       text,
    priority      integer not null,
    ready_time    timestamptz,
    deadline      timestamptz,
    duration      bigint not null check (duration > 0),
    pes           integer not null check (pes > 0),
    moldability   text,
    preemption    text,
    budget        numeric(38, 4),
    currency      text,
    requires      text not null,
    fix_after     numeric(7, 6),
    fix_before    bigint,
    start_at      timestamptz,
    arrived_at    timestamptz not null,
    state         text not null,
    reason        text,
    ended_at      timestamptz,
    check ((state = 'PENDING') = (ended_at is null)),
    check ((state = 'REJECTED') = (reason is not null)),
    check ((budget is null) = (currency is null))
);
comment on column request.ready_time is 'null: at once';
comment on column request.deadline is 'null: the end of the horizon';
comment on column request.duration is 'seconds on a standard PE, of a run of several shapes on its most PEs';
comment on column request.start_at is 'the chosen start; null: as the policy chooses';
comment on column request.reason is 'the code of the refusal';
create index request_pending on request (cluster) where state = 'PENDING';
create index request_of_owner on request (owner, id) where state <> 'GRANTED';
create index request_not_granted on request (id) where state <> 'GRANTED';

alter table event add request uuid references request (id);
create index event_of_request on event (request, sequence) where request is not null;
alter table event
    drop constraint event_concerns_one,
    add constraint event_concerns_one
        check (num_nonnulls(reservation, outage, cluster_version, job, jobs_waiting, request) = 1);
