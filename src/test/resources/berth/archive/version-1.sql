-- What a service of the first version may have recorded by noon of 1 January 2027.

insert into account values
    ('alice', 'CLIENT', 'PREMIUM', 'hash of alice', '2027-01-01T08:00Z'),
    ('bob', 'CLIENT', 'STANDARD', 'hash of bob', '2027-01-01T08:00Z');

insert into cluster values
    ('old', 8, 8640000, 'USD', 0.5, 3, 0.25, 0.125, 7, '2027-01-01T08:00Z', null, 4, 5);

insert into reservation values
    ('0193f000-0000-7000-8000-000000000001', 'old', 'alice', 'render', 'film', 'CONFIRMED', 'INTERVAL',
     '2027-01-02T00:00Z', '2027-01-03T00:00Z', 3600, 4, 20.5, '2027-01-02T01:00Z', '2027-01-02T02:00Z',
     12.34, 'USD', null, '2027-01-01T11:00Z', '2027-01-01T11:00Z', 0),
    ('0193f000-0000-7000-8000-000000000002', 'old', 'bob', null, null, 'HELD', 'OPEN',
     '2027-01-02T00:00Z', '2027-02-02T00:00Z', 60, 1, null, '2027-01-02T00:00Z', '2027-01-02T00:01Z',
     0.01, 'USD', '2027-01-01T18:00Z', '2027-01-01T11:30Z', '2027-01-01T11:30Z', 0),
    ('0193f000-0000-7000-8000-000000000003', 'old', 'alice', null, null, 'COMPLETED', 'STRICT',
     '2027-01-01T10:00Z', '2027-01-01T11:00Z', 3600, 8, null, '2027-01-01T10:00Z', '2027-01-01T11:00Z',
     8.00, 'USD', null, '2027-01-01T09:00Z', '2027-01-01T11:00Z', 2);

insert into event
select 'old', happened.sequence, happened.type, happened.at, id, owner, name, project, happened.state, scenario,
       ready_time, deadline, duration, pes, budget, start_at, end_at, price, currency, hold_expires_at, created_at,
       happened.at, happened.version
from (values
    (1, '2027-01-01T09:00Z'::timestamptz, 'CONFIRMED', '0193f000-0000-7000-8000-000000000003'::uuid, 'CONFIRMED', 0),
    (2, '2027-01-01T10:00Z', 'STARTED', '0193f000-0000-7000-8000-000000000003', 'RUNNING', 1),
    (3, '2027-01-01T11:00Z', 'COMPLETED', '0193f000-0000-7000-8000-000000000003', 'COMPLETED', 2),
    (4, '2027-01-01T11:00Z', 'CONFIRMED', '0193f000-0000-7000-8000-000000000001', 'CONFIRMED', 0),
    (5, '2027-01-01T11:30Z', 'HELD', '0193f000-0000-7000-8000-000000000002', 'HELD', 0)
) as happened (sequence, at, type, id, state, version) join reservation using (id);

insert into idempotency_key values ('alice', 'k1', 'print', 'old', 4, '2027-01-01T11:00Z');
