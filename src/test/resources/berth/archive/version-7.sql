-- What a service of the seventh schema may have recorded by noon of 1 January 2027: accounts of some priority, and on a cluster of its own
-- outages, the queue of an outside batch system, and requests that were collected.

update account set priority = 8 where name = 'alice';

insert into cluster (
    id, pes, horizon, currency, price_per_pe_hour, premium_factor, flexibility_discount, lateness_discount, lateness_scale, created_at,
    writer, epoch, sequence, makespan_weight, min_availability, max_slots, intake_order, intake_window, intake_levels,
    intake_jobs_per_user)
values (
    'seven', 8, 8640000, 'USD', 1, 3, 0.2, 0.2, 5, '2027-01-01T10:00Z', null, 3, 6, 0.25, 0.125, 7, 'DPSAR', 3600, 5, 2);

insert into outage (id, cluster, pes, from_at, to_at, reason, moved, failed, ended_at, pe_ids)
values
    ('0193f000-0000-7000-8000-000000000071', 'seven', 2, '2027-01-01T10:00Z', '2027-01-01T13:00Z', 'fan',
     '{0193f000-0000-7000-8000-000000000004,0193f000-0000-7000-8000-000000000001}', '{0193f000-0000-7000-8000-000000000005}',
     '2027-01-01T11:00Z', '6-7'),
    ('0193f000-0000-7000-8000-000000000072', 'seven', 1, '2027-01-01T11:00Z', null, null, '{}', '{}', null, null);

insert into job (
    id, cluster, owner, name, pes, estimate, submitted_at, rank, source, state, started_at, taken_from, taken_until, pe_ids, ended_at)
values
    ('0193f000-0000-7000-8000-000000000073', 'seven', 'dave', 'cfd', 3, 14400, '2027-01-01T10:00Z', 0, 'OUTSIDE', 'RUNNING',
     '2027-01-01T11:00Z', '2027-01-01T11:10Z', '2027-01-01T15:00Z', '0-2', null),
    ('0193f000-0000-7000-8000-000000000074', 'seven', 'erin', null, 8, 600, '2027-01-01T10:30Z', 1, 'OUTSIDE', 'QUEUED',
     null, null, null, null, null);

insert into request (
    id, cluster, owner, service_class, name, project, priority, ready_time, deadline, duration, pes, moldability, preemption, budget,
    currency, requires, fix_after, fix_before, start_at, arrived_at, state, reason, ended_at)
values
    ('0193f000-0000-7000-8000-000000000075', 'seven', 'alice', 'PREMIUM', 'wind', 'weather', 8, '2027-01-02T00:00Z',
     '2027-01-03T00:00Z', 7200, 4, 'AMDAHL/2/4/POWERS_OF_TWO/0.25', '2/0.5/true', 20.5, 'USD', 'gpu=none,os=linux/6.12', 0.5, 60,
     null, '2027-01-01T11:45Z', 'PENDING', null, null),
    ('0193f000-0000-7000-8000-000000000076', 'seven', 'bob', 'STANDARD', null, null, 5, null, null, 3600, 8, null, null, null,
     null, '', null, null, '2027-01-01T12:30Z', '2027-01-01T10:00Z', 'REJECTED', 'no-slot', '2027-01-01T11:20Z');

insert into event (cluster, sequence, type, at, outage, jobs_running, jobs_waiting, request)
values
    ('seven', 1, 'OUTAGE_RECORDED', '2027-01-01T10:00Z', '0193f000-0000-7000-8000-000000000071', null, null, null),
    ('seven', 2, 'OUTAGE_ENDED', '2027-01-01T11:00Z', '0193f000-0000-7000-8000-000000000071', null, null, null),
    ('seven', 3, 'OUTAGE_RECORDED', '2027-01-01T11:00Z', '0193f000-0000-7000-8000-000000000072', null, null, null),
    ('seven', 4, 'JOBS_REPLACED', '2027-01-01T11:10Z', null, 1, 1, null),
    ('seven', 5, 'REJECTED', '2027-01-01T11:20Z', null, null, null, '0193f000-0000-7000-8000-000000000076'),
    ('seven', 6, 'REQUESTED', '2027-01-01T11:45Z', null, null, null, '0193f000-0000-7000-8000-000000000075');
