-- What a service of the eleventh schema may have recorded by noon of 1 January 2027: requests without a cluster, and such as take a slot
-- outside of their window.

insert into request (
    id, cluster, owner, service_class, priority, ready_time, deadline, duration, pes, requires, arrived_at, state, reason, ended_at,
    preference, leeway_max_phi, leeway_earlier, clusters)
values
    ('0193f000-0000-7000-8000-000000000111', null, 'alice', 'PREMIUM', 8, '2027-01-02T00:00Z', '2027-01-02T06:00Z', 3600, 4, '',
     '2027-01-01T11:50Z', 'PENDING', null, null, 'START=0.25,PRICE=0.75', 0.5, true, 'near,seven'),
    ('0193f000-0000-7000-8000-000000000112', 'seven', 'bob', 'STANDARD', 5, null, null, 60, 1, '',
     '2027-01-01T11:00Z', 'CANCELLED', null, '2027-01-01T11:55Z', null, null, false, null);

insert into event (cluster, sequence, type, at, request)
values ('seven', 7, 'WITHDRAWN', '2027-01-01T11:55Z', '0193f000-0000-7000-8000-000000000112');
update cluster set sequence = 7 where id = 'seven';

update mirror set degraded = true where id = '0193f000-0000-7000-8000-000000000081';
