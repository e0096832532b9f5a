-- What a service of the eighth schema may have recorded by noon of 1 January 2027: a cluster of another Berth, what is reserved there, and
-- runs on several clusters.

insert into provider (id, url, token, cluster, card, checked_at, version)
values ('near', 'http://near.example.org:8080', 'berth_near', 'demo', '{"pes":64}', '2027-01-01T09:00Z', 2);

insert into mirror (
    id, cluster, owner, service_class, name, project, tried, remote_id, owed, answer, state, start_at, end_at, heard_at, reachable,
    created_at)
values
    ('0193f000-0000-7000-8000-000000000081', 'near', 'alice', 'PREMIUM', 'mesh', 'film', 'seven/1798808400/TAKEN four//UNAVAILABLE',
     'r-81', 'CONFIRMATION',
     '{"id":"r-81","state":"HELD","version":0,"placement":{"pes":4,"start":"2027-01-02T01:00:00Z","end":"2027-01-02T02:00:00Z"}}',
     'HELD', '2027-01-02T01:00Z', '2027-01-02T02:00Z', '2027-01-01T11:00Z', true, '2027-01-01T11:00Z'),
    ('0193f000-0000-7000-8000-000000000082', 'near', 'bob', 'STANDARD', null, null, null, 'r-82', 'NOTHING',
     '{"id":"r-82","state":"FAILED","version":2,"placement":{"pes":1,"start":"2027-01-01T10:00:00Z","end":"2027-01-01T11:00:00Z"}}',
     'FAILED', '2027-01-01T10:00Z', '2027-01-01T11:00Z', '2027-01-01T10:30Z', false, '2027-01-01T09:30Z');

insert into coallocation (
    id, owner, name, project, state, settled, start_at, clusters, reservations, created_at, updated_at)
values
    ('0193f000-0000-7000-8000-000000000083', 'alice', 'pair', 'film', 'CONFIRMED', true, '2027-01-02T01:00Z', '{old,near}',
     '{0193f000-0000-7000-8000-000000000001,0193f000-0000-7000-8000-000000000081}', '2027-01-01T11:00Z', '2027-01-01T11:01Z'),
    ('0193f000-0000-7000-8000-000000000084', 'bob', null, null, 'CONFIRMING', false, '2027-01-02T00:00Z', '{old}',
     '{0193f000-0000-7000-8000-000000000002}', '2027-01-01T11:30Z', '2027-01-01T11:30Z');

insert into idempotency_key (account, key, fingerprint, cluster, sequence, created_at, stands_for)
values ('alice', 'k8', 'another print', null, 0, '2027-01-01T11:00Z', '0193f000-0000-7000-8000-000000000083');
