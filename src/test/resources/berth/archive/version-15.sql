-- What a service of the fifteenth schema may have recorded by noon of 1 January 2027 on the cluster of the fourth: one reservation and
-- one batch job of which everything is said, before and after.

insert into reservation (
    id, cluster, owner, service_class, name, project, phi, tried, state, reason, scenario, ready_time, deadline, duration, shapes,
    moldability, preemption, budget, requires, fix_after, fix_before, start_at, end_at, pes, pe_ids, parts, turns, fixes_at, price,
    credit, currency, hold_expires_at, claim_by, created_at, updated_at, version, flags,
    proposal_number, proposal_scenario, proposal_ready_time, proposal_deadline, proposal_duration, proposal_shapes,
    proposal_moldability, proposal_requires, proposal_incentive, proposal_by, proposal_at, proposal_expires_at)
values (
    '0193f000-0000-7000-8000-000000000015', 'four', 'carol', 'PREMIUM', 'say "what", \ or ✓', 'film', -0.250000,
    'one/1798804800/TAKEN two//UNAVAILABLE', 'CONFIRMED', null, 'INTERVAL', '2027-01-02T00:00Z', '2027-01-03T00:00Z', 7200,
    '4:7200,2:9000', 'AMDAHL/2/4/POWERS_OF_TWO/0.25', '2/0.5/true', 20.50, 'gpu=none,os=linux/6.12', 0.500000, 60,
    '2027-01-02T02:00Z', '2027-01-02T05:00Z', 4, null,
    '1798855200-1798858800/4/1/0-3 1798862400-1798866000/4/1/0-2,6', 1, '2027-01-02T01:45Z', 12.30, null, 'USD', null, null,
    '2027-01-01T10:00Z', '2027-01-01T11:00Z', 3, 'DEGRADED,MOVED',
    3, 'OPEN', '2027-01-02T00:00Z', '2027-01-04T00:00Z', 3600, '4:3600', 'RUNTIMES/4:3600', '', 1.50, 'root', '2027-01-01T11:00Z',
    '2027-01-01T23:00Z');

insert into event (
    cluster, sequence, type, at, reservation, owner, service_class, name, project, phi, tried, state, reason, scenario, ready_time,
    deadline, duration, shapes, moldability, preemption, budget, requires, fix_after, fix_before, start_at, end_at, pes, pe_ids,
    parts, turns, fixes_at, price, credit, currency, hold_expires_at, claim_by, created_at, updated_at, version, flags,
    proposal_number, proposal_scenario, proposal_ready_time, proposal_deadline, proposal_duration, proposal_shapes,
    proposal_moldability, proposal_requires, proposal_incentive, proposal_by, proposal_at, proposal_expires_at, moved_from,
    moved_why)
select cluster, 6, 'PROPOSED', updated_at, id, owner, service_class, name, project, phi, tried, state, reason, scenario, ready_time,
    deadline, duration, shapes, moldability, preemption, budget, requires, fix_after, fix_before, start_at, end_at, pes, pe_ids,
    parts, turns, fixes_at, price, credit, currency, hold_expires_at, claim_by, created_at, updated_at, version, flags,
    proposal_number, proposal_scenario, proposal_ready_time, proposal_deadline, proposal_duration, proposal_shapes,
    proposal_moldability, proposal_requires, proposal_incentive, proposal_by, proposal_at, proposal_expires_at, null, null
from reservation where id = '0193f000-0000-7000-8000-000000000015';

insert into job (
    id, cluster, owner, name, pes, estimate, submitted_at, rank, source, state, started_at, taken_from, taken_until, pe_ids, ended_at)
values ('0193f000-0000-7000-8000-000000000016', 'four', 'dave', null, 2, 600, '2027-01-01T10:00Z', 7, 'BERTH', 'RUNNING',
    '2027-01-01T11:30Z', '2027-01-01T11:30Z', '2027-01-01T11:40Z', '6-7', null);

insert into event (
    cluster, sequence, type, at, job, job_owner, job_name, job_pes, job_estimate, job_submitted_at, job_rank, job_source, job_state,
    job_started_at, job_taken_from, job_taken_until, job_pe_ids, job_ended_at)
select cluster, 7, 'JOB_STARTED', started_at, id, owner, name, pes, estimate, submitted_at, rank, source, state, started_at,
    taken_from, taken_until, pe_ids, ended_at
from job where id = '0193f000-0000-7000-8000-000000000016';

update cluster set sequence = 7 where id = 'four';

insert into peer (id, url, token, cluster, card, checked_at, version)
values ('far', 'https://berth.example.org', 'berth_there', 'sp2', '{"pes":128}', '2027-01-01T10:00Z', 0);
