-- What a service of the fourth schema may have recorded on a cluster of its own by noon of 1 January 2027.

insert into cluster values
    ('four', 8, 8640000, 'USD', 1, 3, 0.2, 0.2, 5, '2027-01-01T09:00Z', null, 4, 6,
     2, '', 'OPEN', 900, null, 0, null, 1, 0.1, 1, 0, 'EARLY', 'PE_BEST_FIT');

insert into reservation values
    -- moved by an outage while it waited
    ('0193f000-0000-7000-8000-000000000004', 'four', 'alice', null, null, 'CONFIRMED', 'INTERVAL',
     '2027-01-02T00:00Z', '2027-01-03T00:00Z', 7200, 2, null, '2027-01-02T02:00Z', '2027-01-02T03:00Z',
     2.00, 'USD', null, '2027-01-01T10:00Z', '2027-01-01T11:00Z', 1,
     'STANDARD', '', null, null, '2027-01-02T01:45Z', null, null, null, '4-5'),
    -- given up while it ran
    ('0193f000-0000-7000-8000-000000000005', 'four', 'bob', null, null, 'CANCELLED', 'STRICT',
     '2027-01-01T10:30Z', '2027-01-01T11:30Z', 7200, 1, null, '2027-01-01T10:30Z', '2027-01-01T11:30Z',
     1.00, 'USD', null, '2027-01-01T10:00Z', '2027-01-01T11:00Z', 2,
     'STANDARD', '', null, null, '2027-01-01T10:15Z', null, null, null, '0');

insert into event
select 'four', happened.sequence, happened.type, happened.at, id, owner, name, project, happened.state, scenario,
       ready_time, deadline, duration, pes, budget, happened.start_at,
       happened.start_at + (reservation.end_at - reservation.start_at), price,
       currency, hold_expires_at, created_at, happened.at, happened.version, service_class, requires, fix_after, fix_before,
       fixes_at, credit, reason, claim_by, null, null, happened.pe_ids
from (values
    (1, '2027-01-01T10:00Z'::timestamptz, 'CONFIRMED', '0193f000-0000-7000-8000-000000000004'::uuid, 'CONFIRMED', 0,
     '2027-01-02T01:00Z'::timestamptz, '0-1'),
    (2, '2027-01-01T10:00Z', 'CONFIRMED', '0193f000-0000-7000-8000-000000000005', 'CONFIRMED', 0,
     '2027-01-01T10:30Z', '0'),
    (3, '2027-01-01T10:30Z', 'STARTED', '0193f000-0000-7000-8000-000000000005', 'RUNNING', 1,
     '2027-01-01T10:30Z', '0'),
    (4, '2027-01-01T11:00Z', 'MOVED', '0193f000-0000-7000-8000-000000000004', 'CONFIRMED', 1,
     '2027-01-02T02:00Z', '4-5'),
    (5, '2027-01-01T11:00Z', 'CANCELLED', '0193f000-0000-7000-8000-000000000005', 'CANCELLED', 2,
     '2027-01-01T10:30Z', '0')
) as happened (sequence, at, type, id, state, version, start_at, pe_ids) join reservation using (id);
update cluster set sequence = 5 where id = 'four';
