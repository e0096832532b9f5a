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
