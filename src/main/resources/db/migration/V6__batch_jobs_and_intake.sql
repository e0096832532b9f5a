-- Batch jobs beside reservations, requests that are collected before they are decided, and the rules of both.

-- a cluster that was there before goes on as it did: nothing keeps a slot from being granted beside jobs
alter table cluster
    add availability         text          not null default 'WHAT_IF',
    add makespan_weight      numeric(7, 6) not null default 0.5,
    add min_availability     numeric(7, 6) not null default 0,
    add max_slots            integer       not null default 20,
    add min_slot_gap         bigint        not null default 900,
    add intake_order         text          not null default 'ARRIVAL',
    add intake_window        bigint        not null default 0,
    add intake_levels        integer       not null default 10,
    add intake_jobs_per_user integer       not null default 3;
comment on column cluster.availability is 'how the availability of a slot beside batch jobs is told';
comment on column cluster.min_slot_gap is 'seconds between two slots that are looked at';
comment on column cluster.intake_window is 'seconds for which requests are collected';

alter table cluster_version
    add availability         text          not null default 'WHAT_IF',
    add makespan_weight      numeric(7, 6) not null default 0.5,
    add min_availability     numeric(7, 6) not null default 0,
    add max_slots            integer       not null default 20,
    add min_slot_gap         bigint        not null default 900,
    add intake_order         text          not null default 'ARRIVAL',
    add intake_window        bigint        not null default 0,
    add intake_levels        integer       not null default 10,
    add intake_jobs_per_user integer       not null default 3;
alter table cluster_version
    alter availability drop default,
    alter makespan_weight drop default,
    alter min_availability drop default,
    alter max_slots drop default,
    alter min_slot_gap drop default,
    alter intake_order drop default,
    alter intake_window drop default,
    alter intake_levels drop default,
    alter intake_jobs_per_user drop default;

alter table account add priority integer not null default 5 check (priority between 1 and 10);
alter table account alter priority drop default;
comment on column account.priority is 'how its requests rank where they are collected: 10 comes first';

create table job (
    id           uuid primary key,
    cluster      text        not null references cluster (id),
    owner        text        not null,
    name         text,
    pes          integer     not null,
    estimate     bigint      not null,
    submitted_at timestamptz not null,
    rank         bigint      not null,
    source       text        not null,
    state        text        not null,
    started_at   timestamptz,
    taken_from   timestamptz,
    taken_until  timestamptz,
    pe_ids       text,
    ended_at     timestamptz
);
comment on table job is 'batch jobs as they are; of an outside batch system only those that wait or run';
comment on column job.estimate is 'how long it runs at the most, in seconds';
comment on column job.rank is 'its place in the queue: the lowest comes first';
comment on column job.taken_from is 'from when on its PEs are taken for it; later than its start where Berth heard of it later';
create index job_live on job (cluster) where state in ('QUEUED', 'RUNNING');
create index job_by_submission on job (cluster, submitted_at, id);
create index job_in_time on job (cluster, taken_until) where started_at is not null;

-- An event may concern a batch job, as it was after it, or a whole queue, of which the history keeps the size.
alter table event
    add job              uuid,
    add job_owner        text,
    add job_name         text,
    add job_pes          integer,
    add job_estimate     bigint,
    add job_submitted_at timestamptz,
    add job_rank         bigint,
    add job_source       text,
    add job_state        text,
    add job_started_at   timestamptz,
    add job_taken_from   timestamptz,
    add job_taken_until  timestamptz,
    add job_pe_ids       text,
    add job_ended_at     timestamptz,
    add jobs_running     integer,
    add jobs_waiting     integer,
    drop constraint event_check,
    add constraint event_concerns_one check (num_nonnulls(reservation, outage, cluster_version, job, jobs_waiting) = 1);
